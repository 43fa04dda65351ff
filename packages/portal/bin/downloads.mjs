// Packs the packages that users install into dist/downloads, which access-api serves, if they have changed:
// node bin/downloads.mjs
// No tarball depends on a package of ours: its name on a public registry could belong to anyone.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const portal = fileURLToPath(new URL('../', import.meta.url));
const packages = join(portal, '..');
const target = join(portal, 'dist/downloads');
const stampFile = join(target, '.stamp');
/** access-api replaces it by its public URL. */
const ADDRESS = 'https://access.vcds.example/downloads/';
const COMPILED = /\.(?:js|d\.ts)$/;
const OWN_SPECIFIER = /(['"])@vcds\/client\1/g;

const TARBALLS = [
  { member: 'client', also: [], install: (url) => `npm i ${url}` },
  {
    member: 'mcp',
    also: ['catalogue.json'],
    install: (url) => `npx -y --package=${url} vcds-mcp`,
  },
];

const manifestOf = (member) =>
  JSON.parse(readFileSync(join(packages, member, 'package.json'), 'utf8'));

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPILED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function stamp() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  for (const { member, also } of TARBALLS) {
    const others = ['package.json', 'README.md', ...also].map((name) =>
      join(packages, member, name),
    );
    for (const file of [...others, ...filesIn(join(packages, member, 'dist'))]) {
      hash
        .update(`${file.slice(packages.length)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/** Copies the compiled files of a package; a program has the client in a folder of its own. */
function copyCompiled(member, folder) {
  const from = join(packages, member, 'dist');
  for (const file of filesIn(from)) {
    const name = file.slice(from.length + 1);
    if (/^(?:describe|bench|test)\//.test(name)) continue;
    const text = readFileSync(file, 'utf8')
      .replace(OWN_SPECIFIER, `'${name.includes('/') ? '..' : '.'}/client/index.js'`)
      .replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
    if (/from ['"]@vcds\//.test(text)) throw new Error(`${file} imports a package of ours.`);
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function stage(member, also, folder) {
  const { devDependencies, scripts, dependencies = {}, ...manifest } = manifestOf(member);
  const own = Object.keys(dependencies).filter((name) => name.startsWith('@vcds/'));
  const others = Object.entries(dependencies).filter(([name]) => !own.includes(name));
  const conditions = Object.entries(manifest.exports).map(
    ([path, { '@vcds/source': _, ...rest }]) => [path, rest],
  );
  const published = {
    ...manifest,
    files: ['dist', ...also],
    exports: Object.fromEntries(conditions),
    ...(others.length === 0 ? {} : { dependencies: Object.fromEntries(others) }),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  for (const name of ['README.md', ...also])
    cpSync(join(packages, member, name), join(folder, name));
  copyCompiled(member, join(folder, 'dist'));
  for (const name of own) copyCompiled(name.replace('@vcds/', ''), join(folder, 'dist/client'));
}

function pack(folder) {
  const options = ['--json', '--ignore-scripts', `--pack-destination=${target}`];
  const output = execFileSync('npm', ['pack', ...options], { cwd: folder, encoding: 'utf8' });
  return JSON.parse(output)[0].filename;
}

const current = stamp();
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== current) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'vcds-downloads-'));
  const index = TARBALLS.map(({ member, also, install }) => {
    stage(member, also, join(work, member));
    const file = pack(join(work, member));
    const bytes = readFileSync(join(target, file));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { name, version, description } = manifestOf(member);
    const url = `${ADDRESS}${file}`;
    return { name, version, description, url, bytes: bytes.length, sha256, use: install(url) };
  });
  rmSync(work, { recursive: true });
  writeFileSync(join(target, 'index.json'), `${JSON.stringify({ packages: index }, null, 2)}\n`);
  const sums = index.map(({ sha256, url }) => `${sha256}  ${url.slice(ADDRESS.length)}\n`);
  writeFileSync(join(target, 'sha256sums.txt'), sums.join(''));
  writeFileSync(stampFile, current);
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { localFolder, root } from './root.mjs';
import { run } from './run.mjs';

const pnpm = 'pnpm@12.21.0';
const stampFile = join(localFolder, 'setup.json');

/**
 * Installs the workspace, generates and builds it, each only when what it depends on has
 * changed since the last time.
 * @throws CommandFailed
 */
export async function setUp(progress) {
  const before = readStamps();
  const stamps = { install: installStamp(), generate: generateStamp() };
  const isInstalled = existsSync(join(root, 'node_modules/.modules.yaml'));
  if (!isInstalled || before.install !== stamps.install) await install(progress);
  const packages = packagesToGenerate();
  if (before.generate !== stamps.generate || packages.some((folder) => !isGenerated(folder))) {
    for (const folder of packages) await generate(folder, progress);
  }
  writeStamps(stamps);
  await build(progress);
}

async function install(progress) {
  await reported(progress.step('Installing packages'), (step) => {
    const command = ['pnpm', 'install', '--frozen-lockfile', '--reporter=append-only'];
    return run('npm', ['exec', '--yes', `--package=${pnpm}`, '--', ...command], {
      step,
      env: { ...process.env, CI: 'true', npm_config_update_notifier: 'false' },
    });
  });
}

async function generate(folder, progress) {
  await reported(progress.step(`Generating the database client of ${relative(root, folder)}`), () =>
    run('npm', ['run', 'generate', '--silent'], { cwd: folder }),
  );
}

async function build(progress) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await reported(progress.step('Building'), () => run(process.execPath, [compiler, '-b']));
}

async function reported(step, work) {
  try {
    await work(step);
    step.done();
  } catch (error) {
    step.fail();
    throw error;
  }
}

/** What an installation depends on: the lockfile, the manifests, the platform and Node. */
function installStamp() {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'];
  const manifests = workspaceFolders().map((folder) => join(folder, 'package.json'));
  const platform = `${process.platform}-${process.arch}-${process.versions.modules}`;
  return digest(platform, [...files.map((file) => join(root, file)), ...manifests]);
}

/** What the generated clients depend on: the Prisma schemas and Prisma itself. */
function generateStamp() {
  const schemas = packagesToGenerate().flatMap((folder) => filesIn(join(folder, 'prisma')));
  return digest('', [join(root, 'pnpm-lock.yaml'), ...schemas]);
}

function packagesToGenerate() {
  return workspaceFolders().filter((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return manifest.scripts?.generate !== undefined;
  });
}

function isGenerated(folder) {
  return existsSync(join(folder, 'src/generated'));
}

function workspaceFolders() {
  return ['packages', 'services']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .sort();
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.prisma'))
    .map((name) => join(folder, name));
}

function digest(seed, files) {
  const hash = createHash('sha256').update(seed);
  for (const file of files) hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function readStamps() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamps(stamps) {
  mkdirSync(localFolder, { recursive: true });
  writeFileSync(stampFile, `${JSON.stringify(stamps)}\n`);
}

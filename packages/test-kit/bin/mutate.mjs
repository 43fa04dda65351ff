// Mutation tests of metering and of the query language: `npm run mutate`, or `npm run mutate -- metering` for
// one of them; options of Stryker may follow. npm installs Stryker once into a folder for temporary files,
// since neither the product nor its tests need it. The results stay there, so a later run tries only the
// mutants of changed code and tests.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../mutation', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PACKAGES = ['metering', 'odata-query'];
const versions = readFileSync(join(SOURCE, 'package.json'));
const digest = createHash('sha256').update(ROOT).update(versions).digest('hex').slice(0, 12);
const folder = join(tmpdir(), `vcds-mutation-${digest}`);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(SOURCE)) cpSync(join(SOURCE, name), join(folder, name));
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
if (!existsSync(stryker)) run('npm', ['install', '--no-audit', '--no-fund'], folder);
const [first, ...others] = process.argv.slice(2);
const isPackage = PACKAGES.includes(first);
const options = isPackage || first === undefined ? others : [first, ...others];
for (const name of isPackage ? [first] : PACKAGES) {
  run(process.execPath, [stryker, 'run', join(folder, `${name}.config.mjs`), ...options], ROOT);
  process.stdout.write(`${join(folder, `report-${name}.html`)}\n`);
}

function run(command, words, cwd) {
  const { status } = spawnSync(command, words, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// Mutation tests of the query language and of metering: `npm run mutate`. npm installs Stryker once into a
// folder for temporary files, since neither the product nor its tests need it. The results stay there, so
// a later run tries only the mutants of changed code and tests.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../mutation', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const versions = readFileSync(join(SOURCE, 'package.json'));
const digest = createHash('sha256').update(ROOT).update(versions).digest('hex').slice(0, 12);
const folder = join(tmpdir(), `vcds-mutation-${digest}`);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(SOURCE)) cpSync(join(SOURCE, name), join(folder, name));
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
if (!existsSync(stryker)) run('npm', ['install', '--no-audit', '--no-fund'], folder);
const args = ['run', join(folder, 'stryker.config.mjs'), ...process.argv.slice(2)];
run(process.execPath, [stryker, ...args], ROOT);
process.stdout.write(`${join(folder, 'report.html')}\n`);

function run(command, words, cwd) {
  const { status } = spawnSync(command, words, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

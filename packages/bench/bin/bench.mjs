// `npm run bench -- [NAME] [--option=value …]`: builds the product and the benches, and runs one; without a
// name `report`.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const root = join(folder, '../..');
const SHARED = ['bed', 'figures', 'http-get', 'run-scenarios'];
const names = readdirSync(join(folder, 'src'))
  .filter((name) => name.endsWith('.ts') && !SHARED.includes(name.slice(0, -3)))
  .map((name) => name.slice(0, -3));

const [first = 'report', ...rest] = process.argv.slice(2);
const [name, args] = first.startsWith('-') ? ['report', [first, ...rest]] : [first, rest];
if (!names.includes(name)) {
  process.stderr.write(`No benchmark is named ${name}. Use one of: ${names.join(', ')}.\n`);
  process.exit(1);
}
for (const [program, ...words] of [
  [join(root, 'node_modules/typescript/bin/tsc'), '-b', root, folder],
  ['--expose-gc', join(folder, `dist/${name}.js`), ...args],
]) {
  const { status } = spawnSync(process.execPath, [program, ...words], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

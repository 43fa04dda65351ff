// Runs an npm script in every package that has it, one after another, without pnpm:
// node each.mjs SCRIPT [ARGUMENTS…]
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { root } from './lib/root.mjs';
import { packagesWith } from './lib/workspace.mjs';

const [script = '', ...args] = process.argv.slice(2);
for (const folder of packagesWith(script)) {
  process.stderr.write(`\n${relative(root, folder)}: npm run ${script}\n`);
  const { status, signal } = spawnSync('npm', ['run', '--silent', script, '--', ...args], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = status ?? 1;
  if (signal !== null) break;
}

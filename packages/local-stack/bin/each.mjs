// Runs an npm script in every package that has it, one after another, without pnpm:
// node each.mjs SCRIPT [NAME] [ARGUMENTS…]
// SCRIPT means `SCRIPT` and every `SCRIPT:…`; with NAME, only `SCRIPT:NAME`.
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { root } from './lib/root.mjs';
import { scriptsOf, workspaceFolders } from './lib/workspace.mjs';

const [script = '', ...given] = process.argv.slice(2);
const name = given[0]?.startsWith('-') ? undefined : given[0];
const args = name === undefined ? given : given.slice(1);
const all = workspaceFolders().flatMap((folder) =>
  scriptsOf(folder)
    .filter((found) => found === script || found.startsWith(`${script}:`))
    .map((found) => ({ folder, found })),
);
const chosen = all.filter(({ found }) => name === undefined || found === `${script}:${name}`);

if (chosen.length === 0) {
  const names = all.map(({ found }) => found.slice(script.length + 1)).filter(Boolean);
  const hint = names.length === 0 ? '' : ` Use one of: ${names.join(', ')}.`;
  process.stderr.write(`No package has a script ${[script, name].join(':')}.${hint}\n`);
  process.exitCode = 1;
}
for (const { folder, found } of chosen) {
  process.stderr.write(`\n${relative(root, folder)}: npm run ${found}\n`);
  const { status, signal } = spawnSync('npm', ['run', '--silent', found, '--', ...args], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = status ?? 1;
  if (signal !== null) break;
}

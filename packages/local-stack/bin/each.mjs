// Runs an npm script in every package that has it, one after another, without pnpm:
// node each.mjs SCRIPT [NAME] [ARGUMENTS…]
// With NAME it runs `SCRIPT:NAME`; else `SCRIPT`, or every `SCRIPT:…` if no package has `SCRIPT`.
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { root } from './lib/root.mjs';
import { chosenScripts, scriptsOf, workspaceFolders } from './lib/workspace.mjs';

const [script = '', ...given] = process.argv.slice(2);
const name = given[0]?.startsWith('-') ? undefined : given[0];
const args = name === undefined ? given : given.slice(1);
const all = workspaceFolders().flatMap((folder) =>
  scriptsOf(folder).map((found) => ({ folder, found })),
);
const names = chosenScripts(
  all.map(({ found }) => found),
  script,
  name,
);
const chosen = all.filter(({ found }) => names.includes(found));

if (chosen.length === 0) {
  const known = all.map(({ found }) => found).filter((found) => found.startsWith(`${script}:`));
  const list = known.map((found) => found.slice(script.length + 1)).join(', ');
  const hint = list === '' ? '' : ` Use one of: ${list}.`;
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

// Builds after each change of a source, for `npm run dev`. `tsc --build --watch` of TypeScript 7.0 notices no
// change where projects refer to each other.
import { spawnSync } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/root.mjs';
import { workspaceFolders } from './lib/workspace.mjs';

/** Editors write a file in several steps, and git many files. */
const SETTLED_MS = 200;
const compiler = join(root, 'node_modules/typescript/bin/tsc');
let timer;

function build() {
  process.stdout.write('A source changed: building ...\n');
  const args = [compiler, '--build', '--pretty', 'false'];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  process.stdout.write(status === 0 ? 'Built.\n' : 'The build failed.\n');
}

for (const folder of workspaceFolders()) {
  const sources = join(folder, 'src');
  if (!existsSync(sources)) continue;
  watch(sources, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(build, SETTLED_MS);
  });
}

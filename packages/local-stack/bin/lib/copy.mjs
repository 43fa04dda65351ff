import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createProgress } from './progress.mjs';
import { root } from './root.mjs';

/** Parses the arguments of `npm run backup` or `npm run restore` and runs it. */
export async function runCopy({ usage, flags: allowed, foldersMin, run }) {
  const args = process.argv.slice(2);
  const flags = args.filter((arg) => arg.startsWith('--'));
  const folders = args.filter((arg) => !arg.startsWith('--'));
  if (args.includes('--help')) return process.stdout.write(usage);
  const unknown = flags.find((flag) => !allowed.includes(flag));
  if (unknown !== undefined || folders.length < foldersMin || folders.length > 1) {
    process.stderr.write(
      `${unknown === undefined ? '' : `Unknown flag "${unknown}".\n\n`}${usage}`,
    );
    process.exitCode = 2;
    return;
  }
  if (!existsSync(join(root, 'packages/local-stack/dist/backup'))) {
    process.stderr.write('Nothing is built. Run npm start or npm run build first.\n');
    process.exitCode = 1;
    return;
  }
  // npm runs scripts in the root; the folder is relative to the user's.
  const [folder] = folders.map((path) => resolve(process.env.INIT_CWD || process.cwd(), path));
  try {
    await run({ folder, flags, environment: process.env, progress: createProgress() });
  } catch (error) {
    const isExpected = error instanceof Error && error.constructor.name !== 'TypeError';
    process.stderr.write(`${isExpected ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}

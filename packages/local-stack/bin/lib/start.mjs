import { onParentGone } from './parent.mjs';
import { createProgress } from './progress.mjs';
import { CommandFailed, Interrupted } from './run.mjs';
import { setUp } from './setup.mjs';

const usage = `npm start [-- FLAGS]

Brings up the whole service on this machine: PostgreSQL, Redis, both APIs, the mail worker and
a world of invented data to try it on. Ctrl-C stops it and keeps the data.

  --empty  do not fill an empty database with invented data
  --fresh  forget everything first: database, keys, mail
  --json   print one line of JSON on standard output when ready, and nothing else there
  --help   show this
`;

const flagNames = ['--empty', '--fresh', '--json'];
const reportLines = 40;
const exitCodeInterrupted = 130;

/** Sets the workspace up and hands over to the built local stack. */
export async function start(args) {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return;
  }
  const unknown = args.find((arg) => !flagNames.includes(arg));
  if (unknown !== undefined) {
    process.stderr.write(`"${unknown}" is no flag of npm start.\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  onParentGone(() => process.kill(process.pid, 'SIGTERM'));
  const progress = createProgress();
  try {
    await setUp(progress);
  } catch (error) {
    if (error instanceof Interrupted) {
      process.exitCode = exitCodeInterrupted;
      return;
    }
    if (!(error instanceof CommandFailed)) throw error;
    const lines = error.output.trim().split('\n').slice(-reportLines).join('\n');
    process.stderr.write(`${lines}\n${error.message}.\n`);
    process.exitCode = 1;
    return;
  }
  const { runStack } = await import('../../dist/stack/run-stack.js');
  const flags = Object.fromEntries(flagNames.map((name) => [name.slice(2), args.includes(name)]));
  process.exitCode = await runStack({ flags, progress, environment: process.env });
}

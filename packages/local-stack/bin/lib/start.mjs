import { onParentGone } from './parent.mjs';
import { createProgress } from './progress.mjs';
import { setUpOrReport } from './setup.mjs';

const FLAG_ROWS = `
  --empty    do not fill an empty database with invented data
  --sandbox  serve the invented data of the sandbox, without keys and charges
  --fresh    delete all earlier data first: database, keys, mail
  --json     print only one line of JSON on standard output, when ready
  --help     show this
`;

/** The commands that use this file. */
const COMMANDS = {
  start: {
    name: 'npm start',
    usage: `npm start [-- FLAGS]

Starts the whole product on this machine: PostgreSQL, Redis, both APIs, both workers and
demonstration data. Ctrl-C stops it and keeps the data.
${FLAG_ROWS}`,
  },
  dev: {
    name: 'npm run dev',
    usage: `npm run dev [-- FLAGS]

npm start for development: the compiler watches the sources, and a service restarts after its code
is rebuilt. After a new migration, or a change of packages/local-stack, restart this command.
${FLAG_ROWS}`,
  },
};

const FLAG_NAMES = ['--empty', '--sandbox', '--fresh', '--json'];

/** Sets up the workspace and runs the built local stack. */
export async function start(args, { watch = false } = {}) {
  const { name, usage } = watch ? COMMANDS.dev : COMMANDS.start;
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return;
  }
  const unknown = args.find((arg) => !FLAG_NAMES.includes(arg));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown flag "${unknown}" of ${name}.\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  onParentGone(() => process.kill(process.pid, 'SIGTERM'));
  const progress = createProgress();
  if (!(await setUpOrReport(progress))) return;
  const { runStack } = await import('../../dist/stack/run-stack.js');
  const given = FLAG_NAMES.map((flag) => [flag.slice(2), args.includes(flag)]);
  const flags = { ...Object.fromEntries(given), watch };
  process.exitCode = await runStack({ flags, progress, environment: process.env });
}

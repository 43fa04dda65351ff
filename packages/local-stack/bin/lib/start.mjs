import { onParentGone } from './parent.mjs';
import { createProgress } from './progress.mjs';
import { setUpOrReport } from './setup.mjs';

const flagRows = `
  --empty  do not fill an empty database with invented data
  --fresh  forget everything first: database, keys, mail
  --json   print one line of JSON on standard output when ready, and nothing else there
  --help   show this
`;

/** What `npm start` and `npm run dev` do, by the name they are called by. */
const commands = {
  start: {
    name: 'npm start',
    usage: `npm start [-- FLAGS]

Brings up the whole service on this machine: PostgreSQL, Redis, both APIs, the worker and
a set of invented data to try it on. Ctrl-C stops it and keeps the data.
${flagRows}`,
  },
  dev: {
    name: 'npm run dev',
    usage: `npm run dev [-- FLAGS]

npm start for development: the compiler watches the sources, and each service restarts when the
code it has loaded was built again. A migration, or a change of packages/local-stack, needs a
restart of this command.
${flagRows}`,
  },
};

const flagNames = ['--empty', '--fresh', '--json'];

/** Sets the workspace up and hands over to the built local stack. */
export async function start(args, { watch = false } = {}) {
  const { name, usage } = watch ? commands.dev : commands.start;
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return;
  }
  const unknown = args.find((arg) => !flagNames.includes(arg));
  if (unknown !== undefined) {
    process.stderr.write(`"${unknown}" is no flag of ${name}.\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  onParentGone(() => process.kill(process.pid, 'SIGTERM'));
  const progress = createProgress();
  if (!(await setUpOrReport(progress))) return;
  const { runStack } = await import('../../dist/stack/run-stack.js');
  const given = flagNames.map((flag) => [flag.slice(2), args.includes(flag)]);
  const flags = { ...Object.fromEntries(given), watch };
  process.exitCode = await runStack({ flags, progress, environment: process.env });
}

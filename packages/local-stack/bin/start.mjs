// `npm start`. Runs before anything is installed: Node's own modules only. A Node that is too old
// could not parse start.mjs, so that is imported after the check.
import { checkEmbedded, checkMachine } from './lib/check-machine.mjs';

const args = process.argv.slice(2);
checkMachine();
if (!args.includes('--help')) checkEmbedded();
import('./lib/start.mjs').then(({ start }) => start(args));

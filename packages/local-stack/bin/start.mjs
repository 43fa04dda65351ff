// `npm start`. It runs before any package is installed: it imports only modules of Node. An old Node
// cannot parse start.mjs, so it is imported after the check.
import { checkEmbedded, checkMachine } from './lib/check-machine.mjs';

const args = process.argv.slice(2);
checkMachine();
if (!args.includes('--help')) checkEmbedded();
import('./lib/start.mjs').then(({ start }) => start(args));

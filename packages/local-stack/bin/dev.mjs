// `npm run dev`. It runs before any package is installed: it imports only modules of Node.
import { checkEmbedded, checkMachine } from './lib/check-machine.mjs';

const args = process.argv.slice(2);
checkMachine();
if (!args.includes('--help')) checkEmbedded();
import('./lib/start.mjs').then(({ start }) => start(args, { watch: true }));

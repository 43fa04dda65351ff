// `npm run dev`. Runs before anything is installed: Node's own modules only.
import { checkEmbedded, checkMachine } from './lib/check-machine.mjs';

const args = process.argv.slice(2);
checkMachine();
if (!args.includes('--help')) checkEmbedded();
import('./lib/start.mjs').then(({ start }) => start(args, { watch: true }));

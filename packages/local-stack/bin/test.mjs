// `npm test`. It runs before any package is installed: it imports only modules of Node. An old Node
// cannot parse test.mjs, so it is imported after the check.
import { checkMachine } from './lib/check-machine.mjs';

checkMachine();
import('./lib/test.mjs').then(({ test }) => test(process.argv.slice(2)));

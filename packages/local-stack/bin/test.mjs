// `npm test`. Runs before anything is installed: Node's own modules only. A Node that is too old
// could not parse test.mjs, so that is imported after the check.
import { checkMachine } from './lib/check-machine.mjs';

checkMachine();
import('./lib/test.mjs').then(({ test }) => test(process.argv.slice(2)));

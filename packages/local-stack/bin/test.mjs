// `npm test`. Runs before anything is installed: node's own modules only. What a Node that is too
// old could not read is loaded after it has been told so.
import { checkNode } from './lib/check-node.mjs';

checkNode();
import('./lib/test.mjs').then(({ test }) => test(process.argv.slice(2)));

// `npm run build`: installs, generates and builds after changes, as npm start does. It runs before
// any package is installed: it imports only modules of Node.
import { checkMachine } from './lib/check-machine.mjs';

checkMachine();
Promise.all([import('./lib/progress.mjs'), import('./lib/setup.mjs')]).then(
  ([{ createProgress }, { setUpOrReport }]) => setUpOrReport(createProgress()),
);

// `npm run build`: installs, generates and builds what has changed, as the first steps of npm start.
// Runs before anything is installed: Node's own modules only.
import { checkMachine } from './lib/check-machine.mjs';

checkMachine();
Promise.all([import('./lib/progress.mjs'), import('./lib/setup.mjs')]).then(
  ([{ createProgress }, { setUpOrReport }]) => setUpOrReport(createProgress()),
);

// Runs the pnpm of package.json, which need not be installed: node pnpm.mjs ARGUMENTS…
// `npm run audit` and `npm run sbom` use it. It imports only modules of Node.
import { spawnSync } from 'node:child_process';
import { pinnedPnpm } from './lib/setup.mjs';

const options = ['exec', '--yes', '--loglevel=error', `--package=${pinnedPnpm()}`, '--', 'pnpm'];
const { status } = spawnSync('npm', [...options, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;

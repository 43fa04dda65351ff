import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository root. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/(?<=.)\/$/, '');

/** Where this clone keeps its state: `LOCAL_DIR`, default `.local`. */
export const localFolder = resolve(root, process.env.LOCAL_DIR || '.local');

/** Where the set-up keeps its stamp and downloaded programs, beside the installed packages. */
export const cacheFolder = resolve(root, 'node_modules/.cache/vcds');

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository root. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/(?<=.)\/$/, '');

/** The folder with the state of this clone: `LOCAL_DIR`, default `.local`. */
export const localFolder = resolve(root, process.env.LOCAL_DIR || '.local');

/** The folder with the stamp of the set-up and downloaded programs. */
export const cacheFolder = resolve(root, 'node_modules/.cache/vcds');

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository root. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/(?<=.)\/$/, '');

/** Where this clone keeps what it makes: `LOCAL_DIR`, default `.local`. */
export const localFolder = resolve(root, process.env.LOCAL_DIR || '.local');

import { fileURLToPath } from 'node:url';
import { product } from '../src/stack/product.ts';

const quiet = { update: () => undefined, done: () => undefined, fail: () => undefined };

/** Common options of backups and restores in tests: no output, and an admin command of tests. */
export function backupOptions(environment: NodeJS.ProcessEnv) {
  return {
    environment,
    progress: { note: () => undefined, step: () => quiet },
    product: {
      ...product,
      adminCommand: fileURLToPath(new URL('fixtures/admin.mjs', import.meta.url)),
    },
  };
}

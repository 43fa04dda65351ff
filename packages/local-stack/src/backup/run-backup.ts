import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openGuardian } from '../processes/guardian.ts';
import { type Product, product as ventureProduct } from '../stack/product.ts';
import { type Progress, reported } from '../stack/progress.ts';
import { readSettings } from '../stack/settings.ts';
import { StackError } from '../stack/stack-error.ts';
import { backUpData } from './data-folder.ts';
import { backUpDumps } from './dumps.ts';
import { runAdmin } from './programs.ts';
import { openBackupStores } from './stores.ts';

export interface BackupOptions {
  /** The new folder of the backup; default: one named after the time, in `LOCAL_DIR/backups`. */
  readonly folder?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** Default: this product. */
  readonly product?: Product;
}

/**
 * Backs up PostgreSQL to a folder, after it has moved the charges in Redis to PostgreSQL: by pg_dump
 * while the services run, or the files of the embedded one, whose stack must be stopped. Redis itself is not
 * copied: it is rebuilt from PostgreSQL.
 * @throws StackError if there is no database, the folder is not empty, or a program is missing.
 */
export async function runBackup(options: BackupOptions): Promise<string> {
  const { environment, progress, product = ventureProduct } = options;
  const settings = readSettings(environment, { empty: true });
  const name = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = options.folder ?? join(settings.folders.local, 'backups', name);
  const found = await readdir(folder).catch(() => undefined);
  if (found !== undefined && found.length > 0) throw new StackError(`${folder} is not empty.`);
  const guardian = openGuardian();
  try {
    const stores = await openBackupStores({ product, settings, progress, guardian });
    try {
      if (stores.environment.REDIS_URL) {
        await reported(progress, 'Draining the charges in Redis', () =>
          runAdmin(product.adminCommand, ['drain', '--json'], stores.environment),
        );
      }
      await reported(progress, 'Copying PostgreSQL', async () => {
        if (stores.embedded !== undefined) {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          return backUpData(stores, stores.embedded, folder);
        }
        // The script creates the folder when the dumps in it are complete.
        if (found !== undefined) await rmdir(folder);
        await mkdir(dirname(folder), { recursive: true });
        return backUpDumps(stores.environment, folder);
      });
    } finally {
      await stores.close();
    }
  } finally {
    await guardian.close();
  }
  return folder;
}

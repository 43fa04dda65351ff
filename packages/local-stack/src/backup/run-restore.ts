import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Product, product as ventureProduct } from '../stack/product.ts';
import type { Progress } from '../stack/progress.ts';
import { readSettings, type StackSettings } from '../stack/settings.ts';
import { StackError } from '../stack/stack-error.ts';
import { ARCHIVE, restoreData } from './data-folder.ts';
import { restoreDumps } from './dumps.ts';

export interface RestoreOptions {
  readonly folder: string;
  /** Replace a database that exists. */
  readonly replace: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** Default: this product. */
  readonly product?: Product;
}

export interface Restore extends RestoreOptions {
  readonly settings: StackSettings;
  readonly product: Product;
}

/**
 * Restores a backup into stores whose services are stopped, and empties Redis, which the services
 * rebuild at their next start.
 * @throws StackError if the backup is damaged, services run, or data exists and `replace` is false;
 *   then the existing data is as it was.
 */
export async function runRestore(options: RestoreOptions): Promise<void> {
  const settings = readSettings(options.environment, { empty: true });
  const isOfFiles = existsSync(join(options.folder, ARCHIVE));
  const isEmbedded = settings.databaseUrl === undefined;
  if (isEmbedded !== isOfFiles) {
    throw new StackError(
      isOfFiles
        ? 'This backup is of the embedded PostgreSQL. Unset DATABASE_URL to restore it.'
        : `${options.folder} has no ${ARCHIVE}. Set DATABASE_URL to restore dumps into that database.`,
    );
  }
  const restore = { product: ventureProduct, ...options, settings };
  await (isEmbedded ? restoreData(restore) : restoreDumps(restore));
}

import { readSettings } from '../stack/settings.ts';
import { StackError } from '../stack/stack-error.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { restoreDumps } from './restore-dumps.ts';
import { restoreFiles } from './restore-files.ts';
import type { RestoreOptions } from './restore-options.ts';

/**
 * Empties Redis, which the services rebuild at their next start, restores a backup into stores whose
 * services are stopped, and checks the result against the manifest.
 * @throws StackError if the backup is damaged, services run, or data exists and `replace` is false;
 *   then the existing data is as it was.
 */
export async function runRestore(options: RestoreOptions): Promise<Manifest> {
  const settings = readSettings(options.environment, { empty: true });
  const manifest = await readManifest(options.folder);
  const isEmbedded = settings.databaseUrl === undefined;
  if (isEmbedded !== (manifest.method === 'files')) {
    throw new StackError(
      isEmbedded
        ? 'This backup was made with DATABASE_URL. Set DATABASE_URL to the database to restore.'
        : 'This backup is of the embedded PostgreSQL. Unset DATABASE_URL to restore it.',
    );
  }
  const restore = { ...options, settings, manifest };
  await (isEmbedded ? restoreFiles(restore) : restoreDumps(restore));
  return manifest;
}

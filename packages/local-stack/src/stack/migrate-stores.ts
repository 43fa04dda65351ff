import { applyMigrations, databaseUrl, MigrationError, type ServiceSchema } from '@vcds/migrate';
import { type Progress, reported } from './progress.ts';
import { StackError } from './stack-error.ts';

const FRESH_START = 'Start again with: npm start -- --fresh';

/**
 * Brings each service's schema up to date.
 * @throws StackError when an embedded database was created from other migrations, or from a migration
 * that was edited since, which only happens while the product itself is being changed.
 */
export async function migrateStores(
  schemas: readonly ServiceSchema[],
  environment: NodeJS.ProcessEnv,
  { progress, isEmbedded }: { readonly progress: Progress; readonly isEmbedded: boolean },
): Promise<void> {
  const missing: string[] = [];
  const edited = await reported(progress, 'Migrating the database', async () => {
    const names: string[] = [];
    for (const service of schemas) {
      const connectionString = databaseUrl(service, environment) ?? '';
      const result = await applyMigrations({ ...service, connectionString }).catch((error) => {
        throw isEmbedded ? withFreshStart(error) : error;
      });
      names.push(...result.edited.map((name) => `${service.service} ${name}`));
      missing.push(...result.missingRoles);
    }
    return names;
  });
  if (missing.length > 0) {
    progress.note(
      `No privileges were granted: the roles ${missing.join(', ')} do not exist and ` +
        'MIGRATION_DATABASE_URL may not create them.',
    );
  }
  if (edited.length === 0) return;
  const what = `The database was made by an earlier text of ${edited.join(', ')}.`;
  if (isEmbedded) throw new StackError(`${what} ${FRESH_START}`);
  progress.note(`${what} It is used as it is.`);
}

/** The error of an embedded database that only a new one can replace, with the command for that. */
function withFreshStart(error: unknown): unknown {
  if (!(error instanceof MigrationError) || error.code !== 'other_history') return error;
  return new StackError(`${error.message} ${FRESH_START}`);
}

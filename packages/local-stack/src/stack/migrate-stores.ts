import { applyMigrations, databaseUrl, MigrationError, type ServiceSchema } from '@vcds/migrate';
import { type Progress, reported } from './progress.ts';
import { StackError } from './stack-error.ts';

const FRESH_START = 'Start again with: npm start -- --fresh';

/**
 * Applies the migrations of each service.
 * @throws StackError if an embedded database was created from other migrations, or from an earlier text
 * of one, which happens only during development of the product.
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
      `No privileges were granted: the roles ${missing.join(', ')} do not exist, and the role of ` +
        'MIGRATION_DATABASE_URL cannot create them.',
    );
  }
  if (edited.length === 0) return;
  const names = edited.join(', ');
  const cause = `Migrations were edited after they were applied to this database: ${names}.`;
  if (isEmbedded) throw new StackError(`${cause} ${FRESH_START}`);
  progress.note(`${cause} The database is used as it is.`);
}

/** The error of an embedded database that must be replaced, with the command for that. */
function withFreshStart(error: unknown): unknown {
  if (!(error instanceof MigrationError) || error.code !== 'other_history') return error;
  return new StackError(`${error.message} ${FRESH_START}`);
}

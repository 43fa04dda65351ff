import {
  applyMigrations,
  checkMigrations,
  databaseUrl,
  MigrationError,
  type ServiceSchema,
} from '@vcds/migrate';
import { type Progress, reported } from './progress.ts';
import { StackError } from './stack-error.ts';

const FRESH_START = 'Or start again with: npm start -- --fresh';

/**
 * Applies the migrations of each service.
 * @throws StackError if an embedded database was made from other migrations, or from another text
 * of one, which happens only during development of the product.
 */
export async function migrateStores(
  schemas: readonly ServiceSchema[],
  environment: NodeJS.ProcessEnv,
  { progress, isEmbedded }: { readonly progress: Progress; readonly isEmbedded: boolean },
): Promise<void> {
  const missing: string[] = [];
  const targets = schemas.map((service) => {
    return { ...service, connectionString: databaseUrl(service, environment) ?? '' };
  });
  await reported(progress, 'Migrating the database', async () => {
    try {
      for (const target of targets) await checkMigrations(target);
      for (const target of targets) missing.push(...(await applyMigrations(target)).missingRoles);
    } catch (error) {
      throw isEmbedded ? withFreshStart(error) : error;
    }
  });
  if (missing.length > 0) {
    progress.note(
      `No privileges were granted: the roles ${missing.join(', ')} do not exist, and the role of ` +
        'MIGRATION_DATABASE_URL cannot create them.',
    );
  }
}

/** The error of an embedded database that must be replaced, with the command for that. */
function withFreshStart(error: unknown): unknown {
  const isOther =
    error instanceof MigrationError && (error.code === 'edited' || error.code === 'missing');
  return isOther ? new StackError(`${error.message} ${FRESH_START}`) : error;
}

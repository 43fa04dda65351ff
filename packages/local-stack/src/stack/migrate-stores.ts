import { applyMigrations, databaseUrl, type ServiceSchema } from '@vcds/migrate';
import { type Progress, reported } from './progress.ts';
import { StackError } from './stack-error.ts';

/**
 * Brings each service's schema up to date.
 * @throws StackError when an embedded database was made from a migration that reads differently
 * now, which only happens while the product itself is being changed.
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
      const result = await applyMigrations({ ...service, connectionString });
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
  if (isEmbedded) throw new StackError(`${what} Start again with: npm start -- --fresh`);
  progress.note(`${what} It is used as it is.`);
}

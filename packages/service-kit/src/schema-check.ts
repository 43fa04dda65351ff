import { readdirSync } from 'node:fs';
import { NotServingError } from './readiness.ts';

export interface SchemaCheckOptions {
  /** The PostgreSQL schema, which has its own `_prisma_migrations`. */
  readonly schema: string;
  /** The folder with the migrations of this build. */
  readonly migrations: URL;
  /** Runs a statement and returns the number of rows. */
  readonly countRows: (text: string, values: string[]) => Promise<number | null>;
}

/**
 * A readiness check that passes once the newest migration of this build is applied to the
 * database. Later migrations do not matter. It rejects with `NotServingError` if the migration is missing,
 * and with another error if the database does not respond.
 *
 * @throws Error if the folder contains no migration.
 */
export function createSchemaCheck(options: SchemaCheckOptions): () => Promise<void> {
  const newest = newestMigration(options.migrations);
  const text = `SELECT FROM "${options.schema}"._prisma_migrations
    WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  return async () => {
    if ((await options.countRows(text, [newest])) !== 0) return;
    throw new NotServingError(
      `Migration ${newest} is not applied to the database. Run npm run migrate.`,
    );
  };
}

function newestMigration(folder: URL): string {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const newest = names.sort().at(-1);
  if (newest === undefined) throw new Error(`${folder.pathname} contains no migration.`);
  return newest;
}

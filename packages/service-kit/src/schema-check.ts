import { fileURLToPath } from 'node:url';
import { readMigrations } from './migrations.ts';
import { NotServingError } from './readiness.ts';

export interface SchemaCheckOptions {
  /** The PostgreSQL schema, which has its own `_prisma_migrations`. */
  readonly schema: string;
  /** The folder with the migrations of this build. */
  readonly migrations: URL;
}

/** Runs a statement on a server; its rows. */
export type ReadApplied = (text: string) => Promise<readonly unknown[]>;

/**
 * A readiness check that passes once every migration of this build is applied to the database, from the
 * text that this build has. Later migrations do not matter. It rejects with `NotServingError` if
 * one is missing or was edited, and with another error if the database does not respond.
 *
 * @throws Error if the folder contains no migration.
 */
export function createSchemaCheck(
  options: SchemaCheckOptions,
): (read: ReadApplied) => Promise<void> {
  const migrations = readMigrations(fileURLToPath(options.migrations));
  const names = migrations.map(({ name }) => name);
  const text = `SELECT migration_name AS name, checksum FROM "${options.schema}"._prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const rowsOf = async (read: ReadApplied): Promise<readonly unknown[]> => {
    try {
      return await read(text);
    } catch (error) {
      const [row] = await read(
        `SELECT to_regclass('"${options.schema}"._prisma_migrations')::text AS name`,
      );
      if (entryOf(row)[0] === null) return [];
      throw error;
    }
  };
  return async (read) => {
    const applied = new Map((await rowsOf(read)).map(entryOf));
    const pending = names.findLast((name) => !applied.has(name));
    if (pending !== undefined) {
      throw new NotServingError(
        `Migration ${pending} is not applied to the database. Run npm run migrate.`,
      );
    }
    const edited = migrations.find(({ name, checksum }) => applied.get(name) !== checksum);
    if (edited === undefined) return;
    throw new NotServingError(
      `Migration ${edited.name} was edited after it was applied to the database. ` +
        'Run npm run migrate, which says what to do.',
    );
  };
}

function entryOf(row: unknown): [name: unknown, checksum: unknown] {
  const { name, checksum } = row as { readonly name?: unknown; readonly checksum?: unknown };
  return [name, checksum];
}

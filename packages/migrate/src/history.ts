import type { Migration } from '@vcds/service-kit/migrations';
import pg from 'pg';
import { MigrationError } from './errors.ts';

/** A row of `_prisma_migrations` that was not rolled back. */
export interface HistoryRow {
  readonly name: string;
  readonly checksum: string;
  /** False: an attempt that failed, or was killed. */
  readonly finished: boolean;
}

/** The work of a run. */
export interface Plan {
  /** To be applied, in order. */
  readonly pending: readonly Migration[];
  /** Applied by a later version of the product: this one then changes nothing. */
  readonly later: readonly string[];
}

/** The history of a schema; empty if it has none. */
export async function readHistory(client: pg.Client, schema: string): Promise<HistoryRow[]> {
  const table = historyTable(schema);
  const { rows: found } = await client.query<{ table: string | null }>(
    'SELECT to_regclass($1) AS "table"',
    [table],
  );
  if (found[0]?.table == null) return [];
  const { rows } = await client.query<HistoryRow>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM ${table} WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

export function historyTable(schema: string): string {
  return `${pg.escapeIdentifier(schema)}._prisma_migrations`;
}

/**
 * Compares the migrations of this version with those applied to a schema.
 * @throws MigrationError if they are not the same text in the same order, whatever is pending.
 */
export function planOf(
  schema: string,
  migrations: readonly Migration[],
  history: readonly HistoryRow[],
): Plan {
  const failed = history.filter(({ finished }) => !finished).map(({ name }) => name);
  if (failed.length > 0) throw failedBefore(schema, failed);
  const checksums = new Map(history.map(({ name, checksum }) => [name, checksum]));
  const own = new Set(migrations.map(({ name }) => name));
  const pending = migrations.filter(({ name }) => !checksums.has(name));
  const edited = migrations.filter(({ name, checksum }) => {
    const applied = checksums.get(name);
    return applied !== undefined && applied !== checksum;
  });
  if (edited.length > 0)
    throw editedError(
      schema,
      edited.map(({ name }) => name),
    );
  const last = migrations.at(-1)?.name ?? '';
  const unknown = [...checksums.keys()].filter((name) => !own.has(name));
  const lost = unknown.filter((name) => name < last || pending.length > 0);
  if (lost.length > 0) throw missingError(schema, lost);
  const newest = [...checksums.keys()].sort().at(-1) ?? '';
  const skipped = pending.filter(({ name }) => name < newest).map(({ name }) => name);
  if (skipped.length > 0) throw skippedError(schema, skipped, newest);
  return { pending, later: unknown };
}

const OTHER_DATABASE =
  'Run the version that made this schema, or use a new database and import the data again.';

function editedError(schema: string, names: readonly string[]): MigrationError {
  const message =
    `Nothing was changed: schema ${schema} was made from another text of ${names.join(', ')}. ` +
    `The migration was edited after it was applied. ${OTHER_DATABASE}`;
  return new MigrationError('edited', message);
}

function missingError(schema: string, names: readonly string[]): MigrationError {
  const message =
    `Nothing was changed: schema ${schema} has migrations that this version does not have ` +
    `(${names.join(', ')}). ${OTHER_DATABASE}`;
  return new MigrationError('missing', message);
}

function skippedError(schema: string, names: readonly string[], newest: string): MigrationError {
  const message =
    `Nothing was changed: schema ${schema} has ${newest}, but not the earlier ` +
    `${names.join(', ')}. ${OTHER_DATABASE}`;
  return new MigrationError('missing', message);
}

function failedBefore(schema: string, names: readonly string[]): MigrationError {
  const message =
    `Nothing was changed: migration ${names.join(', ')} of schema ${schema} was begun by another ` +
    'program and did not end. Undo or complete its changes, then run migrate with ' +
    '--rolled-back NAME or --applied NAME.';
  return new MigrationError('failed_before', message);
}

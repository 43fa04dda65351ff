import { randomUUID } from 'node:crypto';
import { type Migration, readMigrations } from '@vcds/service-kit/migrations';
import pg from 'pg';
import { connectionError, MigrationError, scriptError } from './errors.ts';
import { type HistoryRow, historyTable, type Plan, planOf, readHistory } from './history.ts';
import { grantPrivileges, type SchemaPrivileges } from './privileges.ts';
import { runScript } from './script.ts';
import { withSession } from './session.ts';

/** One PostgreSQL schema and the folder of migrations that makes it. */
export interface MigrationTarget {
  /** `postgres://…`; a direct connection, since the lock is held by a session. */
  readonly connectionString: string;
  /** Created when missing; keeps its own `_prisma_migrations`. */
  readonly schema: string;
  /** Absolute path of a `prisma/migrations` folder. */
  readonly migrationsDir: string;
  /** Granted after the migrations; none when absent. */
  readonly privileges?: SchemaPrivileges;
  /** How long to wait for another process that migrates the same database. Default 300. */
  readonly lockTimeoutSeconds?: number;
}

export interface AppliedMigrations {
  /** Names of the migrations applied by this call, in order; empty when up to date. */
  readonly applied: readonly string[];
  /** Applied by a later version of the product: nothing was applied or granted. */
  readonly later: readonly string[];
  /** Roles that do not exist and may not be created: until they do, nothing is granted. */
  readonly missingRoles: readonly string[];
}

/** As `prisma migrate` creates it, so that both can go on with the other's. */
const CREATE_HISTORY = (schema: string) => `
  CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)};
  CREATE TABLE IF NOT EXISTS ${historyTable(schema)} (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0)`;

/**
 * Applies the migrations that a schema does not have, each in one transaction together with its row in
 * `_prisma_migrations`, then grants the schema's privileges. Safe to call from several processes at
 * once: one works, the others wait and find nothing to do. A process that is killed leaves whole
 * migrations only.
 * @throws MigrationError the database is unavailable, was made from other migrations (then nothing
 *   was changed), or a migration fails, which leaves nothing of itself.
 */
export async function applyMigrations(target: MigrationTarget): Promise<AppliedMigrations> {
  const migrations = readMigrations(target.migrationsDir);
  return withSession(target, async (client) => {
    const { pending, later } = await planFor(client, target, migrations);
    if (later.length > 0) return { applied: [], later, missingRoles: [] };
    try {
      if (pending.length > 0) await client.query(CREATE_HISTORY(target.schema));
      for (const migration of pending) await applyOne(client, target.schema, migration);
      const { privileges } = target;
      const missingRoles = privileges ? await grantPrivileges(client, privileges) : [];
      return { applied: pending.map(({ name }) => name), later, missingRoles };
    } catch (error) {
      throw connectionError(error, target.connectionString);
    }
  });
}

/** @throws MigrationError if {@link applyMigrations} would throw before it changes anything. */
export async function checkMigrations(target: MigrationTarget): Promise<void> {
  const migrations = readMigrations(target.migrationsDir);
  await withSession(target, (client) => planFor(client, target, migrations));
}

/**
 * Compares a history that is not in a database yet with the migrations of this version.
 * @returns the names of migrations that only a later version has.
 * @throws MigrationError as {@link applyMigrations} would.
 */
export function checkHistory(
  { schema, migrationsDir }: Pick<MigrationTarget, 'schema' | 'migrationsDir'>,
  history: readonly HistoryRow[],
): readonly string[] {
  return planOf(schema, readMigrations(migrationsDir), history).later;
}

async function planFor(
  client: pg.Client,
  { schema, connectionString }: MigrationTarget,
  migrations: readonly Migration[],
): Promise<Plan> {
  const history = await readHistory(client, schema).catch((error) => {
    throw connectionError(error, connectionString);
  });
  return planOf(schema, migrations, history);
}

async function applyOne(client: pg.Client, schema: string, migration: Migration): Promise<void> {
  const { name, sql, checksum } = migration;
  await client.query(`BEGIN; SET LOCAL search_path TO ${pg.escapeIdentifier(schema)}`);
  const failure = await runScript(client, sql);
  if (failure !== undefined) {
    // Also ends with the session, if that is lost.
    await client.query('ROLLBACK').catch(() => undefined);
    throw scriptError(name, sql, failure);
  }
  await client.query(
    `INSERT INTO ${historyTable(schema)}
       (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
  await client.query('COMMIT');
}

/**
 * Settles a migration that `prisma migrate` began and did not finish: `rolled-back` lets it be applied
 * again, `applied` records it as done by hand. Same meaning as `prisma migrate resolve`.
 * @throws MigrationError if no such migration is unfinished.
 */
export async function resolveMigration(
  target: MigrationTarget,
  name: string,
  as: 'applied' | 'rolled-back',
): Promise<void> {
  const migration = readMigrations(target.migrationsDir).find((each) => each.name === name);
  const change =
    as === 'rolled-back'
      ? 'rolled_back_at = now()'
      : 'finished_at = now(), applied_steps_count = 1, checksum = coalesce($2, checksum)';
  const values = as === 'rolled-back' ? [name] : [name, migration?.checksum];
  await withSession(target, async (client) => {
    const { rowCount } = await client
      .query(
        `UPDATE ${historyTable(target.schema)} SET ${change}
          WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
        values,
      )
      .catch((error) => {
        throw connectionError(error, target.connectionString);
      });
    if (rowCount !== 0) return;
    const message = `Schema ${target.schema} has no unfinished migration ${name}.`;
    throw new MigrationError('not_found', message);
  });
}

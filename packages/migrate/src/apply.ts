import { isDirectSession } from '@vcds/service-kit/direct-session';
import pg from 'pg';
import { migrationAdapter, schemaPool } from './adapter.ts';
import { type Engine, openEngine } from './engine.ts';
import {
  connectionError,
  engineError,
  MigrationError,
  otherHistory,
  poolerError,
  scriptError,
} from './errors.ts';
import { readMigrationsList } from './migrations-list.ts';
import { grantPrivileges, type SchemaPrivileges } from './privileges.ts';

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
  readonly applied: string[];
  /** Applied earlier from a `migration.sql` that reads differently now. */
  readonly edited: string[];
  /** Roles that do not exist and may not be created: until they do, nothing is granted. */
  readonly missingRoles: string[];
}

/** The lock `prisma migrate` takes, so that its runs and these exclude each other. */
const MIGRATION_LOCK = 72_707_369;
const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Applies every migration not yet applied, each in one transaction unless it opens its own,
 * and records it in `_prisma_migrations` exactly as `prisma migrate deploy` does, then grants the
 * schema's privileges. Safe to call
 * from several processes at once: one works, the others wait and find nothing to do.
 * @throws MigrationError the database is unavailable, was created from other migrations, a
 * migration fails or failed earlier.
 */
export async function applyMigrations(target: MigrationTarget): Promise<AppliedMigrations> {
  const migrationsList = await readMigrationsList(target.migrationsDir);
  return withEngine(target, async (engine, pool) => {
    const { editedMigrationNames, history } = await engine.diagnoseMigrationHistory({
      migrationsList,
      optInToShadowDatabase: false,
      filters: NO_FILTERS,
    });
    if (history?.diagnostic === 'historiesDiverge' && history.lastCommonMigrationName === null) {
      throw otherHistory(target.schema, history.unpersistedMigrationNames);
    }
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList,
      filters: NO_FILTERS,
    });
    return {
      applied: appliedMigrationNames,
      edited: editedMigrationNames,
      missingRoles:
        target.privileges === undefined ? [] : await grantPrivileges(pool, target.privileges),
    };
  });
}

/**
 * Settles a migration that failed: `rolled-back` lets it be tried again, `applied` records it
 * as done by hand. Same meaning as `prisma migrate resolve`.
 */
export async function resolveMigration(
  target: MigrationTarget,
  migrationName: string,
  as: 'applied' | 'rolled-back',
): Promise<void> {
  const migrationsList = await readMigrationsList(target.migrationsDir);
  await withEngine(target, async (engine) => {
    if (as === 'applied') await engine.markMigrationApplied({ migrationName, migrationsList });
    else await engine.markMigrationRolledBack({ migrationName });
  });
}

type Work<T> = (engine: Engine, pool: pg.Pool) => Promise<T>;

async function withEngine<T>(target: MigrationTarget, work: Work<T>): Promise<T> {
  const pool = schemaPool(target.connectionString, target.schema);
  try {
    await prepare(pool, target);
    return await useEngine(pool, target, work);
  } finally {
    // Ending the session releases the lock.
    await pool.end();
  }
}

async function prepare(pool: pg.Pool, target: MigrationTarget): Promise<void> {
  const lockTimeoutSeconds = target.lockTimeoutSeconds ?? 300;
  try {
    if (!(await isDirectSession(pool))) throw poolerError(target.connectionString);
    await pool.query(`SET lock_timeout = '${Math.max(1, Math.ceil(lockTimeoutSeconds))}s'`);
    await pool.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await pool.query('RESET lock_timeout');
    await pool.query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(target.schema)}`);
  } catch (error) {
    throw connectionError(error, target.connectionString);
  }
}

async function useEngine<T>(pool: pg.Pool, target: MigrationTarget, work: Work<T>): Promise<T> {
  let failedScript: { readonly error: unknown; readonly script: string } | undefined;
  const adapter = migrationAdapter(pool, target.schema, (error, script) => {
    failedScript = { error, script };
  });
  const engine = await openEngine(adapter);
  try {
    return await work(engine, pool);
  } catch (error) {
    throw error instanceof MigrationError ? error : await explain(pool, error, failedScript);
  } finally {
    engine.free();
  }
}

async function explain(
  pool: pg.Pool,
  error: unknown,
  failedScript: { readonly error: unknown; readonly script: string } | undefined,
): Promise<MigrationError> {
  const names = await failedMigrationNames(pool);
  const name = names.at(-1);
  if (failedScript === undefined || name === undefined) return engineError(error, names);
  const failure = scriptError(name, failedScript.script, failedScript.error);
  // The engine logs its own stack there; the operator who resolves the migration needs the reason.
  await pool.query(
    `UPDATE "_prisma_migrations" SET logs = $1
      WHERE migration_name = $2 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [failure.message, name],
  );
  return failure;
}

async function failedMigrationNames(pool: pg.Pool): Promise<string[]> {
  try {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT migration_name AS name FROM "_prisma_migrations"
        WHERE finished_at IS NULL AND rolled_back_at IS NULL ORDER BY started_at`,
    );
    return rows.map((row) => row.name);
  } catch {
    // The connection is lost or the table does not exist: the first error is the cause.
    return [];
  }
}

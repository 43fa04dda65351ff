import { isRejectedByPooler } from '@vcds/service-kit/direct-session';
import { errorCode } from '@vcds/service-kit/error-code';
import pg from 'pg';

export type MigrationErrorCode =
  /** The server is unreachable, or rejects the connection. */
  | 'database_unavailable'
  /** Another process kept the migration lock for longer than allowed. */
  | 'lock_timeout'
  /** The server rejected a migration's SQL. */
  | 'migration_failed'
  /** A migration failed earlier and has not been resolved. */
  | 'failed_before'
  /** The schema was created from migrations none of which is among these. */
  | 'other_history'
  /** Anything else the engine reports. */
  | 'engine';

/** The error that ended a migration run; the message is a sentence for a person. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly code: MigrationErrorCode;

  constructor(code: MigrationErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** SQLSTATE of a statement cancelled because a lock was not granted in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** The error of a server that could not be used, before any migration was read. */
export function connectionError(error: unknown, connectionString: string): MigrationError {
  if (error instanceof MigrationError) return error;
  if (isRejectedByPooler(error)) return poolerError(connectionString);
  if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) {
    const message = 'Another process is migrating this database and has not finished in time.';
    return new MigrationError('lock_timeout', message, error);
  }
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The database at ${describe(connectionString)} cannot be used: ${reason}.`;
  return new MigrationError('database_unavailable', message, error);
}

/** The error of a connection that leads to a pooler, through which the lock would not hold. */
export function poolerError(connectionString: string): MigrationError {
  const message =
    `The database at ${describe(connectionString)} is a connection pooler, but migrations hold a ` +
    'lock in a session: set MIGRATION_DATABASE_URL to PostgreSQL.';
  return new MigrationError('database_unavailable', message);
}

/** The error of a migration that the server rejected, with the line and the server's message. */
export function scriptError(name: string, script: string, error: unknown): MigrationError {
  const reason = error instanceof Error ? error.message : String(error);
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN;
  const line = Number.isInteger(position)
    ? ` (line ${script.slice(0, position - 1).split('\n').length} of its migration.sql)`
    : '';
  const message = `Migration ${name} failed: ${reason}${line}.`;
  return new MigrationError('migration_failed', message, error);
}

/** Names the migrations that the schema was created from and that this version does not have. */
export function otherHistory(schema: string, names: readonly string[]): MigrationError {
  return new MigrationError(
    'other_history',
    `Schema ${schema} was created from migrations that this version does not have ` +
      `(${names.join(', ')}). Use a new database and import the data again.`,
  );
}

/** Prisma's code for "a migration failed earlier and is still marked as failed". */
const FAILED_MIGRATIONS = 'P3009';

/** Wraps what the engine itself threw. */
export function engineError(error: unknown, failedNames: readonly string[]): MigrationError {
  const code = errorCode(error);
  if (code === FAILED_MIGRATIONS) {
    const message =
      `Migration ${failedNames.join(', ')} failed earlier and is not resolved, so none is applied. ` +
      'Undo or complete its changes, then run migrate with --rolled-back NAME or --applied NAME.';
    return new MigrationError('failed_before', message, error);
  }
  const text = error instanceof Error ? error.message : String(error);
  return new MigrationError('engine', text.split('\n   0: ')[0] ?? text, error);
}

/** Host, port and database of a connection string, never its password. */
function describe(connectionString: string): string {
  try {
    const url = new URL(connectionString);
    return `${url.hostname || 'the local socket'}:${url.port || '5432'}${url.pathname}`;
  } catch {
    return 'the given address (not a URL)';
  }
}

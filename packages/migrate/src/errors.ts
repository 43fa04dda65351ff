import { isRejectedByPooler } from '@vcds/service-kit/direct-session';
import pg from 'pg';
import type { ScriptFailure } from './script.ts';

export type MigrationErrorCode =
  /** The server is unreachable, or rejects the connection or a statement of this program. */
  | 'database_unavailable'
  /** Another process kept the migration lock for longer than allowed. */
  | 'lock_timeout'
  /** The server rejected a migration's SQL. */
  | 'migration_failed'
  /** `prisma migrate` began a migration that it did not finish, and it was not resolved. */
  | 'failed_before'
  /** The schema was made from another text of a migration. */
  | 'edited'
  /** The schema has migrations that this version lacks, or lacks an earlier one. */
  | 'missing'
  /** No such migration can be resolved. */
  | 'not_found';

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

/**
 * The error of a migration that the server rejected, with the number of the statement, its line where
 * the server gives it, the server's message, and the place in a function.
 */
export function scriptError(
  name: string,
  script: string,
  { error, statement }: ScriptFailure,
): MigrationError {
  const reason = error instanceof Error ? error.message : String(error);
  const details = error instanceof pg.DatabaseError ? error : undefined;
  const place = details?.position === undefined ? '' : placeOf(script, Number(details.position));
  const where = details?.where === undefined ? '' : ` (${details.where.split('\n')[0]})`;
  const message =
    `Migration ${name} failed in statement ${statement}${place}: ${reason}${where}. ` +
    'Nothing of it was applied.';
  return new MigrationError('migration_failed', message, error);
}

/** Line and column of a position, which counts characters from 1 and not units of UTF-16. */
function placeOf(script: string, position: number): string {
  const lines = [...script]
    .slice(0, position - 1)
    .join('')
    .split('\n');
  return `, line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
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

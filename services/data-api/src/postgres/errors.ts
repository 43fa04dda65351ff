import { isNativeError } from 'node:util/types';
import { ApiError } from '@vcds/service-kit';

/** SQLSTATE of a cancelled statement, for example by its time limit. */
const CANCELED = '57014';
/** SQLSTATEs of a statement of a standby that the replay of the log cancelled. */
const CONFLICTS = new Set(['40001', '40P01']);
const CONFLICT = /conflict with recovery/;
// SQLSTATEs of an unreachable database, as opposed to an invalid statement.
const UNREACHABLE = new Set(['57P01', '57P02', '57P03', '55P03']);
/** Classes of SQLSTATEs: lost connections; a full disk, memory or connection limit; I/O errors. */
const OUTAGE_CLASSES = new Set(['08', '53', '58']);
/** SQLSTATEs of a statement that needs more memory or temporary files than the server allows it. */
const TOO_LARGE = new Set(['53200', '53400']);
const SQLSTATE_LENGTH = 5;
/**
 * Class 08 too: of PostgreSQL a message that the client made wrongly, such as one with too few values; PgBouncer has no
 * other code.
 */
const PROTOCOL_VIOLATION = '08P01';
// Messages of the client, without a code, for a silent or lost connection.
const CONNECTION_GONE = /Connection terminated|Query read timeout|not queryable/;
/** Message of a pool whose connections are all in use. */
const POOL_BUSY = /timeout exceeded when trying to connect/;

/** Why a statement failed, if not by its own fault. */
export type Failure = 'timeout' | 'too_large' | 'busy' | 'conflict' | 'connection';

/** Why a statement failed; undefined for an invalid one. Unwraps the errors of {@link unavailable}. */
export function failureOf(thrown: unknown): Failure | undefined {
  const error = thrown instanceof ApiError ? thrown.cause : thrown;
  if (!isNativeError(error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (CONFLICTS.has(code) || CONFLICT.test(error.message)) return 'conflict';
  if (code === CANCELED) return 'timeout';
  if (TOO_LARGE.has(code)) return 'too_large';
  if (POOL_BUSY.test(error.message)) return 'busy';
  // PostgreSQL names its function, a pooler does not.
  if (code === PROTOCOL_VIOLATION && 'routine' in error && error.routine) return undefined;
  const isLost =
    UNREACHABLE.has(code) ||
    (code.length === SQLSTATE_LENGTH && OUTAGE_CLASSES.has(code.slice(0, 2))) ||
    (/^E[A-Z_]+$/.test(code) && !code.startsWith('ERR_')) ||
    CONNECTION_GONE.test(error.message);
  return isLost ? 'connection' : undefined;
}

/** Whether the database was unreachable or its connection lost. A limit of a statement is not an outage. */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof ApiError) || !isNativeError(thrown.cause)) return false;
  const failure = failureOf(thrown);
  return failure !== 'timeout' && failure !== 'too_large';
}

/** The error of a call whose statement failed by no fault of its own. */
export function unavailable(cause: unknown): ApiError {
  return new ApiError(
    'unavailable',
    'The query timed out or the database is unavailable; no credits were charged. Retry later, ' +
      'or narrow the filter.',
    {},
    { cause },
  );
}

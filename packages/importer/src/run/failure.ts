/** Error messages of imports that ended early: the cause, and how much was applied. */
import { isNativeError } from 'node:util/types';
import pg from 'pg';
import { ImportError, type ImportErrorCode } from '../errors/import-error.ts';
import type { Progress } from '../report/progress.ts';

/** The progress of an import. */
export interface Reached {
  /** Lines of committed transactions. */
  applied: number;
  /** Lines to apply; undefined until applying begins. */
  toApply: number | undefined;
  /** Dropped indexes that are to be built after the last line. */
  indexes?: number;
}

const number = new Intl.NumberFormat('en-US');

/** An error that says what was applied, and how to complete the import. */
export function importFailure(error: unknown, reached: Reached): ImportError {
  const { code, message, cause, isRepeatable = true } = explained(error);
  const isLost = code === 'database' && isConnectionLost(cause);
  // Other errors are in the input: repeating the command would not help.
  const isOutside = code === 'database' || code === 'stopped';
  // A message that is a list gets the outcome on a line of its own.
  const blank = message.includes('\n') ? '\n' : ' ';
  const done = outcome(isRepeatable && isOutside, reached, isLost);
  return new ImportError(code, `${message}${blank}${done}`, { cause });
}

/** The outcome of an import that is ended within a step, as far as is known. */
export function stoppedAtOnce(progress: Progress | undefined): string {
  const isApplying = progress?.step === 'applying' || progress?.step === 'finishing';
  const reached = { applied: isApplying ? progress.lines : 0, toApply: progress?.linesMax };
  return `Stopped immediately. ${outcome(true, reached, isApplying)}`;
}

interface Explained {
  readonly code: ImportErrorCode;
  /** Whole sentences. */
  readonly message: string;
  readonly cause?: unknown;
  /** False if something else must be done first. */
  readonly isRepeatable?: boolean;
}

function explained(error: unknown): Explained {
  const reason = isNativeError(error) ? error.message : String(error);
  const asDatabase = (message: string) => ({ code: 'database', message, cause: error }) as const;
  if (error instanceof ImportError) return error;
  if (isConnectionLost(error)) {
    return asDatabase(`The connection to the database was lost: ${reason}.`);
  }
  const state = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  if (UNMIGRATED.has(state)) {
    const message = `The database lacks tables of data-api: ${reason}. Run npm run migrate.`;
    return { ...asDatabase(message), isRepeatable: false };
  }
  const what = REJECTIONS.get(state) ?? REJECTIONS.get(state.slice(0, 2));
  if (what !== undefined) return asDatabase(`${what}: ${reason}.`);
  return { code: 'unforeseen', message: `The import failed: ${reason}.`, cause: error };
}

/** SQLSTATEs of a schema, table or column that does not exist. */
const UNMIGRATED = new Set(['3F000', '42P01', '42703']);

/** SQLSTATEs, or classes of them, with which a database may reject an import. */
const REJECTIONS: ReadonlyMap<string, string> = new Map([
  ['25006', 'The database is read-only'],
  ['42501', 'The role of DATABASE_URL lacks permissions'],
  ['53100', 'The disk of the database is full'],
  ['53', 'The database lacks resources'],
  ['57', 'The database is shutting down or cancelled the statement'],
  ['58', 'The database cannot access its files'],
]);

/** Messages of the client about a closed connection, which have no code. */
const CONNECTION_CLOSED =
  /Connection terminated|Client has encountered a connection error|not queryable/u;
const NETWORK_CODES = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
]);
const SHUTDOWNS = new Set(['57P01', '57P02', '57P03']);

function isConnectionLost(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code } = error as { readonly code?: unknown };
  if (error instanceof pg.DatabaseError) {
    return SHUTDOWNS.has(error.code ?? '') || error.code?.startsWith('08') === true;
  }
  return NETWORK_CODES.has(String(code)) || CONNECTION_CLOSED.test(error.message);
}

function outcome(isRepeatable: boolean, reached: Reached, isLost: boolean): string {
  const { applied, toApply, indexes = 0 } = reached;
  const missing =
    indexes === 0
      ? ''
      : ` ${number.format(indexes)} indexes are missing until an import completes.`;
  if (toApply === undefined || (applied === 0 && !isLost)) {
    const again = isRepeatable ? '; the same command imports everything' : '';
    return `Nothing was applied${again}.${missing}`;
  }
  // A transaction may be committed although its confirmation was lost.
  const done = `${isLost ? 'At least ' : ''}${number.format(applied)}`;
  const all = number.format(toApply);
  return `${done} of ${all} lines were applied; the same command completes the import.${missing}`;
}

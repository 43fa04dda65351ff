/** Says why an import ended before its end, and what it had done by then. */
import { isNativeError } from 'node:util/types';
import pg from 'pg';
import { ImportError, type ImportErrorCode } from '../errors/import-error.ts';
import type { Progress } from '../report/progress.ts';

/** How far an import has come. */
export interface Reached {
  /** Lines of transactions that are committed. */
  applied: number;
  /** Lines to apply; undefined until that is known and applying begins. */
  toApply: number | undefined;
}

const number = new Intl.NumberFormat('en-US');

/** An error that says what was applied, and how to complete it. */
export function importFailure(error: unknown, reached: Reached): ImportError {
  const { code, message, cause, isRepeatable = true } = explained(error);
  const isLost = code === 'database' && isConnectionLost(cause);
  // After a list the sentence has a line of its own.
  const blank = message.includes('\n') ? '\n' : ' ';
  const done = outcome(isRepeatable && isOutside(code), reached, isLost);
  return new ImportError(code, `${message}${blank}${done}`, { cause });
}

/** What an import that is ended in the midst of a step has done, as far as is known. */
export function stoppedAtOnce(progress: Progress | undefined): string {
  const isApplying = progress?.step === 'applying' || progress?.step === 'finishing';
  const reached = { applied: isApplying ? progress.lines : 0, toApply: progress?.linesMax };
  return `Stopped at once. ${outcome(true, reached, isApplying)}`;
}

interface Explained {
  readonly code: ImportErrorCode;
  readonly message: string;
  readonly cause: unknown;
  /** False where something else has to be done first. */
  readonly isRepeatable?: boolean;
}

/** @returns whole sentences. */
function explained(error: unknown): Explained {
  const reason = isNativeError(error) ? error.message : String(error);
  const asDatabase = (message: string) => ({ code: 'database', message, cause: error }) as const;
  if (error instanceof ImportError) {
    return { code: error.code, message: error.message, cause: error.cause };
  }
  if (isConnectionLost(error))
    return asDatabase(`The connection to the database was lost: ${reason}.`);
  const state = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  if (UNMIGRATED_STATES.has(state)) {
    const what = `The database is not that of data-api, or of an older version: ${reason}.`;
    const message = `${what} npm run migrate brings it up to date.`;
    return { ...asDatabase(message), isRepeatable: false };
  }
  if (state === '53100') return asDatabase(`The database has no room on its disk: ${reason}.`);
  if (isNativeError(error) && error.name.startsWith('PrismaClient')) {
    return asDatabase(`The database failed: ${reason.trim().split('\n').at(-1)}.`);
  }
  const what = SQL_STATES.get(state) ?? SQL_STATES.get(state.slice(0, 2));
  if (what !== undefined) return asDatabase(`${what}: ${reason}.`);
  return { code: 'unforeseen', message: `The import failed: ${reason}.`, cause: error };
}

/** SQLSTATEs of a schema, table or column that is not there. */
const UNMIGRATED_STATES = new Set(['3F000', '42P01', '42703']);

/** SQLSTATEs, or classes of them, for which a database may refuse an import. */
const SQL_STATES: ReadonlyMap<string, string> = new Map([
  ['25006', 'The database takes no changes'],
  ['42501', 'The role of DATABASE_URL may not do what an import has to'],
  ['53', 'The database lacks resources'],
  ['57', 'The database was told to stop'],
  ['58', 'The database cannot use its files'],
]);

/** What the client says of a connection that ended, without a code. */
const CONNECTION_STATES =
  /Connection terminated|Client has encountered a connection error|not queryable/u;
const NETWORK_CODES = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH']);
const SHUTDOWN_STATES = new Set(['57P01', '57P02', '57P03']);

function isConnectionLost(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code } = error as { readonly code?: unknown };
  if (error instanceof pg.DatabaseError) {
    return SHUTDOWN_STATES.has(error.code ?? '') || error.code?.startsWith('08') === true;
  }
  return NETWORK_CODES.has(String(code)) || CONNECTION_STATES.test(error.message);
}

/** Whether the reason lies outside of what was given to the import. */
const isOutside = (code: ImportErrorCode) => code === 'database' || code === 'stopped';

function outcome(
  isRepeatable: boolean,
  { applied, toApply }: Reached,
  isUncertain: boolean,
): string {
  if (toApply === undefined || (applied === 0 && !isUncertain)) {
    return `Nothing was applied${isRepeatable ? '; the same command imports everything' : ''}.`;
  }
  // A transaction may be committed though the answer was lost.
  const done = `${isUncertain ? 'At least ' : ''}${number.format(applied)}`;
  const all = number.format(toApply);
  return `${done} of ${all} lines were applied; the same command completes the import.`;
}

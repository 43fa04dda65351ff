import { bucketOfAccount } from '@vcds/credentials';
import type { ChargeRequest, KeyShare, Once, Operation, ReserveRequest } from './ledger.ts';
import { type AccountTotals, RESTORE_ACCOUNTS_MAX } from './ledger-stream.ts';

/** Every sum of the ledger stays far below 2^53, where Lua and JavaScript are still exact. */
export const AMOUNT_MAX = 1_000_000_000;
export const LIMIT_MAX = 1_000_000_000_000;
/** Calls of one account that may hold credits at the same time. */
export const OPEN_HOLDS_MAX = 4_096;
/** Idempotency keys of one account within {@link LedgerTimes.onceMs}. */
export const ONCE_KEYS_MAX = 10_000;
const REQUEST_ID_SHAPE = /^[0-9A-Za-z-]{8,64}$/;
/** December 9999. */
const PERIOD_MAX = 999_912;
const ID_SHAPE = /^[!-~]{1,100}$/;

/** Lifetimes of the ledger's records. */
export interface LedgerTimes {
  /** A hold that is neither settled nor released falls back to the account after this. */
  readonly holdMs: number;
  /** How long after its hold expired a call may still be settled. */
  readonly lateMs: number;
  /** How long the outcome of a settled operation is stored, for retries. */
  readonly outcomeMs: number;
  /** How long a call with an idempotency key is not charged again. */
  readonly onceMs: number;
}

export const LEDGER_TIMES: LedgerTimes = Object.freeze({
  holdMs: 60_000,
  lateMs: 600_000,
  outcomeMs: 60_000,
  onceMs: 86_400_000,
});

/** @throws RangeError for an id that is empty, too long or not plain text without spaces. */
export function assertId(name: string, id: string): void {
  if (!ID_SHAPE.test(id)) {
    throw new RangeError(`${name} must be 1 to 100 visible ASCII characters.`);
  }
}

/** @throws RangeError for anything but a whole number from `min` to `max`. */
export function assertAmount(name: string, amount: number, min: number, max: number): void {
  if (!Number.isSafeInteger(amount) || amount < min || amount > max) {
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}, not ${amount}.`);
  }
}

export function assertOperation({ account, op }: Operation): void {
  assertId('account', account);
  assertId('op', op);
}

/** Whether a text can be a request id: 8 to 64 letters, digits and `-`, as the edge takes them. */
export function isRequestId(text: string): boolean {
  return REQUEST_ID_SHAPE.test(text);
}

export function assertReserve(request: ReserveRequest): void {
  assertOperation(request);
  assertKey(request);
  assertId('endpoint', request.endpoint);
  if (!isRequestId(request.requestId)) {
    throw new RangeError('requestId must be 8 to 64 letters, digits and "-".');
  }
  assertAmount('max', request.max, 1, AMOUNT_MAX);
  assertAmount('limit', request.limit, 0, LIMIT_MAX);
}

export function assertKey({ keyId, keyLimit }: KeyShare): void {
  assertId('keyId', keyId);
  assertAmount('keyLimit', keyLimit ?? 0, 0, LIMIT_MAX);
}

export function assertCharge(request: ChargeRequest): void {
  assertReserve(request);
  assertAmount('actual', request.actual, 0, request.max);
  assertAmount('period', request.period, 1, PERIOD_MAX);
  if (request.once !== undefined) assertOnce(request.once);
}

export function assertOnce({ key, request }: Once): void {
  assertId('once.key', key);
  assertId('once.request', request);
}

/** @throws RangeError for times that are not whole milliseconds, or that let a hold never end. */
export function assertTimes({ holdMs, lateMs, outcomeMs, onceMs }: LedgerTimes): void {
  assertAmount('holdMs', holdMs, 1, 3_600_000);
  assertAmount('lateMs', lateMs, 0, 86_400_000);
  assertAmount('outcomeMs', outcomeMs, 1, 86_400_000);
  assertAmount('onceMs', onceMs, 1, 86_400_000);
}

/** @throws RangeError for more than 500 accounts, or accounts of another bucket. */
export function assertRestore(
  bucket: number,
  totals: readonly AccountTotals[],
  buckets: number,
): void {
  if (totals.length > RESTORE_ACCOUNTS_MAX) {
    throw new RangeError(`At most ${RESTORE_ACCOUNTS_MAX} accounts are restored at once.`);
  }
  for (const { account } of totals) {
    if (bucketOfAccount(account, buckets) !== bucket) {
      throw new RangeError(`Account ${account} is not in bucket ${bucket}.`);
    }
  }
}

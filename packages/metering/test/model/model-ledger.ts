import { BUCKETS, bucketOfAccount } from '@vcds/credentials';
import {
  assertCharge,
  assertReserve,
  assertRestore,
  type LedgerTimes,
  ONCE_KEYS_MAX,
  OPEN_HOLDS_MAX,
} from '../../src/ledger/bounds.ts';
import type { CreditLedger } from '../../src/ledger/credit-ledger.ts';
import type {
  BalanceAnswer,
  ChargeRequest,
  Charging,
  KeyShare,
  NotCharged,
  Once,
  Operation,
  Reservation,
  ReserveRequest,
  SettledOperation,
  Settlement,
  Unavailable,
} from '../../src/ledger/ledger.ts';
import {
  closedBucket,
  moreThanHeld,
  reservedBefore,
  tooManyHolds,
} from '../../src/ledger/ledger-errors.ts';
import type { LedgerEntry, LedgerStream } from '../../src/ledger/ledger-stream.ts';
import { periodOf } from '../../src/ledger/month.ts';
import {
  type Account,
  available,
  balanceOf,
  charge,
  type Held,
  type Known,
  keyLeft,
  monthOf,
  newAccount,
  reap,
  roll,
  share,
} from './account.ts';

export interface ModelOptions {
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  readonly times: LedgerTimes;
  readonly buckets?: number;
}

interface Bucket {
  isOpen: boolean;
  bucketSeq: number;
  entries: LedgerEntry[];
  readonly accounts: Map<string, Account>;
}

/** The ledger over maps, step by step as the scripts do it: tests compare the two. */
export function createModelLedger({ nowMs, times, buckets = BUCKETS }: ModelOptions): CreditLedger {
  const all = Array.from({ length: buckets }, newBucket);
  const bucketAt = (number: number): Bucket => all[number] ?? newBucket();
  const bucketOf = (account: string) => bucketAt(bucketOfAccount(account, buckets));
  const accountOf = (id: string): Account => {
    const { accounts } = bucketOf(id);
    const account = accounts.get(id) ?? newAccount();
    accounts.set(id, account);
    return account;
  };

  const reserve = (request: ReserveRequest): Reservation => {
    assertReserve(request);
    const { account: id, op, keyId, endpoint, requestId, max, limit, keyLimit = null } = request;
    const now = nowMs();
    const known = knownOperation(accountOf(id), op, now);
    if (known === undefined && !bucketOf(id).isOpen) return unavailable(closedBucket());
    const account = upToDate(accountOf(id), now);
    if (known !== undefined) return repeated(account, op, known, request);
    if (account.revoked.has(keyId)) return { status: 'revoked' };
    account.current.limit = limit;
    if (available(account, account.current) < max) {
      return { status: 'exhausted', required: max, balance: balanceOf(account, request) };
    }
    if (keyLeft(account, keyId, account.current, keyLimit) < max) {
      return { status: 'key_exhausted', required: max, balance: balanceOf(account, request) };
    }
    if (account.holds.size >= OPEN_HOLDS_MAX) return unavailable(tooManyHolds());
    const { period } = account.current;
    const expiresAtMs = now + times.holdMs;
    const call = { keyId, endpoint, requestId };
    const held = { period, amount: max, expiresAtMs, call, keyLimit };
    account.current.held += max;
    share(account, keyId, account.current).held += max;
    account.holds.set(op, held);
    account.operations.set(op, { held, deleteAtMs: expiresAtMs + times.lateMs });
    return heldAnswer(account, held, request);
  };

  const finish = (
    { account: id, op, ...call }: Operation & Held['call'],
    month: Account['current'] | undefined,
    charged: number,
    now: number,
  ): void => {
    const [account, bucket] = [accountOf(id), bucketOf(id)];
    account.operations.set(op, { charged, deleteAtMs: now + times.outcomeMs });
    if (month === undefined || charged === 0) return;
    const purchased = charge(account, month, charged, call.keyId);
    bucket.bucketSeq += 1;
    const { seq } = account;
    const { period } = month;
    const counts = { period, charged, purchased, seq, bucketSeq: bucket.bucketSeq };
    bucket.entries.push({ op, account: id, ...call, ...counts, chargedAt: new Date(now) });
  };

  const settle = (
    { account: id, op, keyId, keyLimit: asked }: SettledOperation,
    actual: number,
  ): Settlement => {
    const key = keyId === undefined ? undefined : { keyId, keyLimit: asked };
    const bucket = bucketOf(id);
    const now = nowMs();
    const known = knownOperation(accountOf(id), op, now);
    if (known === undefined && !bucket.isOpen) return unavailable(closedBucket());
    const account = upToDate(accountOf(id), now);
    if (known?.held === undefined) return settled(account, known?.charged ?? 0, key);
    const { period, amount, call, keyLimit } = known.held;
    if (actual > amount) throw moreThanHeld(actual, amount);
    const month = monthOf(account, period);
    const wasOpen = account.holds.delete(op);
    if (month !== undefined && wasOpen) {
      month.held -= amount;
      share(account, call.keyId, month).held -= amount;
    }
    const late = (its: Account['current']): number =>
      Math.min(available(account, its), keyLeft(account, call.keyId, its, keyLimit));
    const left = month === undefined ? 0 : wasOpen ? actual : late(month);
    const charged = Math.min(actual, Math.max(0, left));
    finish({ account: id, op, ...call }, month, charged, now);
    return settled(account, charged, key);
  };

  const chargeAtOnce = (request: ChargeRequest): Charging => {
    assertCharge(request);
    const {
      account: id,
      op,
      keyId,
      endpoint,
      requestId,
      max,
      actual,
      limit,
      period,
      once,
      keyLimit = null,
    } = request;
    const now = nowMs();
    const known = knownOperation(accountOf(id), op, now);
    if (known === undefined && !bucketOf(id).isOpen) return unavailable(closedBucket());
    const account = upToDate(accountOf(id), now);
    if (known?.held !== undefined) throw reservedBefore();
    if (known !== undefined) return settled(account, known.charged, request);
    if (account.revoked.has(keyId)) return { status: 'revoked' };
    account.current.limit = limit;
    const before = once && notCharged(account, once, now, request);
    if (before !== undefined) return before;
    const began = monthOf(account, period);
    const hasLeft = (its: Account['current']): boolean =>
      available(account, its) >= max && keyLeft(account, keyId, its, keyLimit) >= max;
    const month = began !== undefined && hasLeft(began) ? began : account.current;
    if (!hasLeft(month)) {
      const status = available(account, month) < max ? 'exhausted' : 'key_exhausted';
      return { status, required: max, balance: balanceOf(account, request) };
    }
    finish({ account: id, op, keyId, endpoint, requestId }, month, actual, now);
    if (once !== undefined) {
      const deleteAtMs = now + times.onceMs;
      account.once.set(once.key, { deleteAtMs, request: once.request, charged: actual });
    }
    return settled(account, actual, request);
  };

  const balance = (
    id: string,
    limit: number,
    key?: KeyShare,
    once?: Once,
  ): BalanceAnswer | NotCharged => {
    if (!bucketOf(id).isOpen) return unavailable(closedBucket());
    const account = upToDate(accountOf(id), nowMs());
    account.current.limit = limit;
    const before = once && notCharged(account, once, nowMs(), key);
    return before ?? { status: 'known', balance: balanceOf(account, key) };
  };

  return {
    ledger: {
      reserve: async (request) => reserve(request),
      settle: async (operation, actual) => settle(operation, actual),
      release: async (operation) => settle(operation, 0),
      charge: async (request) => chargeAtOnce(request),
      balance: async (id, limit, key) => balance(id, limit, key) as BalanceAnswer,
      balanceFor: async (id, limit, once, key) => balance(id, limit, key, once),
    },
    stream: modelStream(buckets, bucketAt, accountOf),
    accounts: {
      revokeKey: async (id, keyId) => void accountOf(id).revoked.add(keyId),
      setPurchased: async (id, total) => {
        const account = accountOf(id);
        account.purchased = Math.max(account.purchased, total);
      },
    },
  };
}

function modelStream(
  buckets: number,
  bucketAt: (number: number) => Bucket,
  accountOf: (id: string) => Account,
): LedgerStream {
  return {
    buckets,
    read: async (number, max) => {
      const entries = bucketAt(number).entries.slice(0, max);
      return { entries, receipt: entries.map(({ bucketSeq }) => String(bucketSeq)) };
    },
    acknowledge: async (number, { receipt }) => {
      const bucket = bucketAt(number);
      bucket.entries = bucket.entries.filter(
        ({ bucketSeq }) => !receipt.includes(String(bucketSeq)),
      );
    },
    standing: async (number) => {
      const { isOpen, bucketSeq, entries } = bucketAt(number);
      return { isOpen, bucketSeq, pending: entries.length };
    },
    close: async (number) => {
      bucketAt(number).isOpen = false;
    },
    restore: async (number, totals) => {
      assertRestore(number, totals, buckets);
      if (bucketAt(number).entries.length > 0) return 'moved';
      for (const { account: id, period, used, spent, seq, purchased, keys } of totals) {
        const account = accountOf(id);
        roll(account, period);
        const month = monthOf(account, period);
        if (month !== undefined) {
          month.used = Math.max(month.used, used);
          for (const key of keys) {
            const its = share(account, key.keyId, month);
            its.used = Math.max(its.used, key.used);
          }
        }
        account.spent = Math.max(account.spent, spent);
        account.seq = Math.max(account.seq, seq);
        account.purchased = Math.max(account.purchased, purchased);
      }
      return 'done';
    },
    open: async (number, bucketSeq) => {
      const bucket = bucketAt(number);
      if (bucket.entries.length > 0) return 'moved';
      bucket.isOpen = true;
      bucket.bucketSeq = Math.max(bucket.bucketSeq, bucketSeq);
      return 'done';
    },
  };
}

function newBucket(): Bucket {
  return { isOpen: false, bucketSeq: 0, entries: [], accounts: new Map() };
}

function upToDate(account: Account, nowMs: number): Account {
  roll(account, periodOf(nowMs));
  reap(account, nowMs);
  return account;
}

// A record that is over is not deleted: it counts again if the clock is set back, as in Redis.
function notCharged(account: Account, { key, request }: Once, nowMs: number, of?: KeyShare) {
  const live = [...account.once].filter(([, { deleteAtMs }]) => deleteAtMs > nowMs);
  const first = new Map(live).get(key);
  if (first === undefined) {
    return live.length < ONCE_KEYS_MAX ? undefined : ({ status: 'too_many_keys' } as const);
  }
  if (first.request !== request) return { status: 'mismatch' } as const;
  const balance = balanceOf(account, of);
  return { status: 'repeated', charged: first.charged, balance } as const;
}

function knownOperation({ operations }: Account, op: string, nowMs: number): Known | undefined {
  const known = operations.get(op);
  return known !== undefined && nowMs < known.deleteAtMs ? known : undefined;
}

function repeated(account: Account, op: string, known: Known, key: KeyShare): Reservation {
  if (known.held !== undefined && account.holds.has(op)) {
    return heldAnswer(account, known.held, key);
  }
  const charged = known.held === undefined ? known.charged : 0;
  return { status: 'finished', charged, balance: balanceOf(account, key) };
}

function heldAnswer(account: Account, { amount, expiresAtMs }: Held, key: KeyShare): Reservation {
  const expiresAt = new Date(expiresAtMs);
  return { status: 'held', amount, expiresAt, balance: balanceOf(account, key) };
}

function settled(account: Account, charged: number, key?: KeyShare): Settlement {
  return { status: 'settled', charged, balance: balanceOf(account, key) };
}

function unavailable(cause: Error): Unavailable {
  return { status: 'unavailable', cause };
}

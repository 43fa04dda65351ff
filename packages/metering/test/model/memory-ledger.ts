import { BUCKETS, bucketOfAccount } from '@vcds/credentials';
import {
  AMOUNT_MAX,
  assertAmount,
  assertId,
  assertOperation,
  assertReserve,
  assertTimes,
  LEDGER_TIMES,
  type LedgerTimes,
  LIMIT_MAX,
} from '../../src/ledger/bounds.ts';
import type { CreditLedger } from '../../src/ledger/credit-ledger.ts';
import type { Ledger, Operation, Unavailable } from '../../src/ledger/ledger.ts';
import { closedBucket } from '../../src/ledger/ledger-errors.ts';
import type { LedgerAccounts, LedgerEntry } from '../../src/ledger/ledger-stream.ts';
import { type AccountState, balanceOf, NEW_ACCOUNT } from './account-state.ts';
import {
  type Charge,
  decideReserve,
  decideSettle,
  type HeldOperation,
  type KnownOperation,
  type Situation,
  upToDate,
} from './decide.ts';
import { memoryStream } from './memory-stream.ts';

/** An account as the memory adapter keeps it. */
export interface MemoryAccount {
  state: AccountState;
  readonly holds: Map<string, HeldOperation>;
  readonly operations: Map<string, KnownOperation>;
  readonly revoked: Set<string>;
}

/** A bucket as the memory adapter keeps it. */
export interface MemoryBucket {
  isOpen: boolean;
  bucketSeq: number;
  entries: LedgerEntry[];
  readonly accounts: Map<string, MemoryAccount>;
}

export interface MemoryLedgerOptions {
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  readonly times?: LedgerTimes;
  readonly buckets?: number;
}

/** A ledger of pure decisions over maps: the model that the Redis ledger is tested against. */
export function createMemoryLedger({
  nowMs,
  times = LEDGER_TIMES,
  buckets: count = BUCKETS,
}: MemoryLedgerOptions): CreditLedger {
  assertTimes(times);
  const buckets = new Map<number, MemoryBucket>();
  const bucketAt = (number: number): MemoryBucket => {
    const found = buckets.get(number);
    if (found !== undefined) return found;
    const bucket = { isOpen: false, bucketSeq: 0, entries: [], accounts: new Map() };
    buckets.set(number, bucket);
    return bucket;
  };
  const bucketOf = (account: string): MemoryBucket => bucketAt(bucketOfAccount(account, count));

  const settle = async ({ account, op }: Operation, actual: number) => {
    assertOperation({ account, op });
    assertAmount('actual', actual, 0, AMOUNT_MAX);
    const bucket = bucketOf(account);
    const entry = accountIn(bucket, account);
    const now = nowMs();
    // Rejected before the account is brought up to now: a closed bucket changes nothing.
    if (!bucket.isOpen && knownOf(entry, op, now) === undefined) return closed();
    const situation = situationOf(entry, op, now, times);
    const { answer, state, operation, charge } = decideSettle(situation, actual);
    entry.state = state;
    entry.holds.delete(op);
    if (operation !== undefined) entry.operations.set(op, operation);
    if (charge !== undefined) append(bucket, { account, op }, state, charge, situation.nowMs);
    return answer;
  };

  const ledger: Ledger = {
    reserve: async (request) => {
      assertReserve(request);
      const { account, op, keyId } = request;
      const bucket = bucketOf(account);
      if (!bucket.isOpen) return closed();
      const entry = accountIn(bucket, account);
      const situation = situationOf(entry, op, nowMs(), times);
      const isRevoked = entry.revoked.has(keyId);
      const openHolds = entry.holds.size;
      const decision = decideReserve(situation, request, { isRevoked, openHolds });
      entry.state = decision.state;
      if (decision.operation !== undefined) entry.operations.set(op, decision.operation);
      if (decision.operation?.kind === 'held') entry.holds.set(op, decision.operation);
      return decision.answer;
    },
    settle,
    release: (operation) => settle(operation, 0),
    balance: async (account, limit) => {
      assertId('account', account);
      assertAmount('limit', limit, 0, LIMIT_MAX);
      const bucket = bucketOf(account);
      if (!bucket.isOpen) return closed();
      const entry = accountIn(bucket, account);
      const { state } = situationOf(entry, '', nowMs(), times);
      entry.state = { ...state, current: { ...state.current, limit } };
      return { status: 'known', balance: balanceOf(entry.state) };
    },
  };

  const stream = memoryStream(count, bucketAt, accountIn);
  return { ledger, stream, accounts: memoryAccounts((id) => accountIn(bucketOf(id), id)) };
}

function memoryAccounts(entryOf: (account: string) => MemoryAccount): LedgerAccounts {
  return {
    revokeKey: async (account, keyId) => {
      assertId('account', account);
      assertId('keyId', keyId);
      entryOf(account).revoked.add(keyId);
    },
    setPurchased: async (account, total) => {
      assertId('account', account);
      assertAmount('total', total, 0, LIMIT_MAX);
      const entry = entryOf(account);
      entry.state = { ...entry.state, purchased: Math.max(entry.state.purchased, total) };
    },
  };
}

function accountIn(bucket: MemoryBucket, account: string): MemoryAccount {
  const found = bucket.accounts.get(account);
  if (found !== undefined) return found;
  const entry = {
    state: NEW_ACCOUNT,
    holds: new Map(),
    operations: new Map(),
    revoked: new Set<string>(),
  };
  bucket.accounts.set(account, entry);
  return entry;
}

// Brings the account up to now and looks the operation up, unless its record has expired.
function situationOf(
  entry: MemoryAccount,
  op: string,
  nowMs: number,
  times: LedgerTimes,
): Situation {
  const expired = [...entry.holds].filter(([, held]) => held.expiresAtMs <= nowMs);
  for (const [id] of expired) entry.holds.delete(id);
  entry.state = upToDate(
    entry.state,
    expired.map(([, held]) => held),
    nowMs,
  );
  for (const [id, { deleteAtMs }] of entry.operations) {
    // Kept for longer than it is known: a clock that was set back finds it, as in Redis. They stand
    // by age, more or less; those behind the first that is kept wait for it.
    if (deleteAtMs + times.lateMs > nowMs) break;
    entry.operations.delete(id);
  }
  const known = knownOf(entry, op, nowMs);
  return { state: entry.state, known, isOpen: entry.holds.has(op), nowMs, times };
}

function knownOf(entry: MemoryAccount, op: string, nowMs: number): KnownOperation | undefined {
  const found = entry.operations.get(op);
  return found !== undefined && nowMs < found.deleteAtMs ? found : undefined;
}

function append(
  bucket: MemoryBucket,
  { account, op }: Operation,
  state: AccountState,
  charge: Charge,
  nowMs: number,
): void {
  bucket.bucketSeq += 1;
  const chargedAt = new Date(nowMs);
  const { seq } = state;
  bucket.entries.push({ op, account, ...charge, seq, bucketSeq: bucket.bucketSeq, chargedAt });
}

function closed(): Unavailable {
  return { status: 'unavailable', cause: closedBucket() };
}

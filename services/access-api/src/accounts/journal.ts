import { bucketOfAccount, type KeyDigest, type PlanId } from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';
import type { Account, ApiKey } from '../generated/client.ts';
import { type Database, isTaken, type Transaction } from './database.ts';
import { type AccountState, type KeyState, keyStateOf, stateOf } from './state.ts';

/** The kinds of events of accounts and keys. */
export type EventKind =
  | 'account_created'
  | 'plan_changed'
  | 'key_issued'
  | 'key_narrowed'
  | 'key_limited'
  | 'key_revoked'
  | 'login_set'
  | 'login_removed'
  | 'credits_purchased';

export interface NewAccount {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly plan: PlanId;
}

/** A change that conflicts with the current state; its message is for the operator. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/** An event of an account, and the columns of the account that it changes. */
export interface NewEvent {
  readonly kind: EventKind;
  readonly detail: Readonly<Record<string, string | number | readonly string[] | null>>;
  readonly keyId?: string;
  readonly columns?: { readonly plan?: PlanId; readonly purchasedCredits?: number };
}

/** One account, in a transaction that holds the lock of its bucket. */
export interface Change {
  readonly tx: Transaction;
  /** The time of its events. */
  readonly at: Date;
  /** With the events recorded so far. */
  readonly account: Account;
  /** Adds an event to the journal. */
  record(event: NewEvent): Promise<void>;
  /** This is the new state of a key, for Redis and for every data-api that may have it cached. */
  write(key: ApiKey): void;
  /** Keys without a new state of their own whose principals are not as before. */
  announce(keys: readonly ApiKey[]): void;
}

/** A committed change of an account. */
export interface Recorded {
  readonly account: AccountState;
  /** The positions before the change: of the account, and of its bucket. */
  readonly since: number;
  readonly previous: number;
  /** The keys that it changed. */
  readonly keys: readonly KeyState[];
  readonly announced: readonly KeyDigest[];
}

export type Journal = ReturnType<typeof createJournal>;

interface JournalOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Applies a committed change to Redis; it is in effect when this resolves. */
  readonly mirror: (recorded: Recorded) => Promise<void>;
  /** Notifies every data-api to remove these keys from its cache. */
  readonly announce: (digests: readonly KeyDigest[]) => Promise<void>;
}

/**
 * The journal in PostgreSQL, where every change of an account or key is committed before it is
 * anywhere else. 256 buckets of accounts count their events, each under the lock of its row, so that
 * positions commit in order and without gaps.
 */
export function createJournal({ database, clock, mirror, announce }: JournalOptions) {
  const commit = <T>(accountId: string, act: Act<T>, created?: NewAccount) =>
    database.$transaction(async (tx) => {
      const bucket = bucketOfAccount(accountId);
      const previous = await lockBucket(tx, bucket);
      if (created !== undefined) await insertAccount(tx, created, bucket, clock);
      const account = await requireAccount(tx, accountId);
      const open = openChange(tx, account, new Date(clock.wallMs()), previous);
      const result = await act(open.change);
      return { result, recorded: await open.close() };
    });
  return {
    /** The first step of `change` alone. For tests, as if the process had ended after it. */
    commit,
    /**
     * The one way to change an account or its keys. The order of its steps is what makes a change
     * survive the end of the process at any moment:
     * 1. lock the bucket, act, and commit the new state with its events;
     * 2. mirror: write the new state to Redis, from which keys are checked;
     * 3. announce: every data-api removes these keys from its cache.
     *
     * It is in effect when this resolves. After an error that is not one of `act`, it may be recorded:
     * access-api then applies it, and so does a repetition, even one that finds nothing to change.
     *
     * @param created an account to create first.
     * @throws JournalError if it conflicts with the current state, or the account does not exist.
     */
    change: async <T>(accountId: string, act: Act<T>, created?: NewAccount): Promise<T> => {
      const { result, recorded } = await commit(accountId, act, created);
      await mirror(recorded);
      await announce(recorded.announced);
      return result;
    },
  };
}

/** The part of a change between lock and commit. Nothing is changed if it throws. */
export type Act<T> = (change: Change) => Promise<T>;

function openChange(tx: Transaction, locked: Account, at: Date, previous: number) {
  const written = new Map<string, KeyState>();
  const announced = new Set<KeyDigest>();
  let account = locked;
  let position = previous;
  const { id: accountId, bucket } = locked;
  const change: Change = {
    tx,
    at,
    get account() {
      return account;
    },
    record: async ({ kind, detail, keyId = null, columns }) => {
      position += 1;
      const event = { bucket, position, accountId, kind, recordedAt: at, keyId };
      await tx.event.create({ data: { ...event, detail: JSON.parse(JSON.stringify(detail)) } });
      const data = { ...columns, position };
      account = await tx.account.update({ where: { id: accountId }, data });
    },
    write: (key) => {
      const state = keyStateOf(key);
      written.set(key.id, state);
      announced.add(state.digest);
    },
    announce: (keys) => {
      for (const key of keys) announced.add(keyStateOf(key).digest);
    },
  };
  const close = async (): Promise<Recorded> => {
    if (position > previous) await tx.bucket.update({ where: { id: bucket }, data: { position } });
    const since = Number(locked.position);
    return {
      ...{ account: stateOf(account), since, previous },
      ...{ keys: [...written.values()], announced: [...announced] },
    };
  };
  return { change, close };
}

/** Locks a bucket until the end of the transaction; its position. */
async function lockBucket(tx: Transaction, bucket: number): Promise<number> {
  const rows = await tx.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM access.bucket WHERE id = ${bucket}::smallint FOR UPDATE`;
  return Number(rows[0]?.position);
}

async function insertAccount(tx: Transaction, account: NewAccount, bucket: number, clock: Clock) {
  const createdAt = new Date(clock.wallMs());
  try {
    await tx.account.create({ data: { ...account, bucket, position: 0, createdAt } });
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new JournalError('An account with this id or address already exists.');
  }
}

async function requireAccount(tx: Transaction, accountId: string): Promise<Account> {
  const account = await tx.account.findUnique({ where: { id: accountId } });
  if (account === null) throw new JournalError(`Account ${accountId} does not exist.`);
  return account;
}

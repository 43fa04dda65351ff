import {
  bucketOfAccount,
  bucketOfDigest,
  type KeyDigest,
  type PlanId,
  type Scope,
} from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';
import type { Account, ApiKey } from '../generated/client.ts';
import { type Database, isTaken, type Transaction } from './database.ts';
import {
  type AccountState,
  type KeyOwner,
  type KeyState,
  keyStateOf,
  LIVE_KEYS_MAX,
  liveAt,
  ownerOf,
  stateOf,
} from './snapshot.ts';

/** The kinds of events of accounts and keys. */
export type EventKind =
  | 'account_created'
  | 'plan_changed'
  | 'key_issued'
  | 'key_narrowed'
  | 'key_revoked'
  | 'login_set'
  | 'login_removed'
  | 'credits_purchased';
export type KeyOrigin = 'operator' | 'registration' | 'account_page' | 'demonstration' | 'login';

export interface NewAccount {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly plan: PlanId;
}

export interface NewKey {
  readonly id: string;
  readonly accountId: string;
  readonly digest: KeyDigest;
  /** The first characters, by which the owner distinguishes keys. */
  readonly hint: string;
  readonly label: string | null;
  readonly origin: KeyOrigin;
  /** null: everything the plan allows. */
  readonly scopes: readonly Scope[] | null;
  readonly expiresAt: Date | null;
}

/** A committed change of an account. */
export interface Recorded {
  readonly account: AccountState;
  /** The position of the account before the change. */
  readonly since: number;
  /** The keys that it changed. */
  readonly keys: readonly KeyState[];
  /** The owner of a new key. */
  readonly owner?: KeyOwner;
  /** Keys that may be in the cache of a data-api and are not as before. */
  readonly announced?: readonly KeyDigest[];
}

/** A change that conflicts with the current state; its message is for the operator. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/** The account has as many valid keys as it may have. */
export class TooManyKeys extends JournalError {}

/** A step of a change within a transaction. */
export type Step<T> = (tx: Transaction, at: Date) => Promise<T>;

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
 * The journal in PostgreSQL. Every change of an account or key is committed here first. Positions
 * of a bucket are taken under its row lock, so that they commit in order and without gaps.
 */
export function createJournal({ database, clock, mirror, announce }: JournalOptions) {
  /** Commits a step, which locks the bucket and records an event, and nothing more. */
  const commit = <T>(step: Step<T>): Promise<T> =>
    database.$transaction((tx) => step(tx, new Date(clock.wallMs())));
  return {
    commit,
    /**
     * The one way to change an account or key: commits a step, applies what it recorded to Redis and
     * announces it to every data-api. It is in effect when this resolves. After an error that is not one
     * of the step, it may be recorded; access-api then applies it, and so does a repetition.
     *
     * @throws JournalError if it conflicts with the current state.
     */
    change: async <T extends { readonly recorded?: Recorded | undefined }>(
      step: Step<T>,
    ): Promise<T> => {
      const result = await commit(step);
      if (result.recorded === undefined) return result;
      await mirror(result.recorded);
      const { announced = [] } = result.recorded;
      if (announced.length > 0) await announce(announced);
      return result;
    },
  };
}

/** The step that creates an account. */
export async function createAccount(
  tx: Transaction,
  account: NewAccount,
  at: Date,
): Promise<Recorded> {
  const { id: accountId } = account;
  const bucket = bucketOfAccount(accountId);
  await lockBuckets(tx, [bucket]);
  await tx.account.create({ data: { ...account, bucket, position: 0, createdAt: at } });
  return record(tx, { accountId, kind: 'account_created', detail: { ...account }, at });
}

/** The step that sets a plan, which concerns all valid keys. */
export async function setPlan(
  tx: Transaction,
  accountId: string,
  plan: PlanId,
  at: Date,
): Promise<Recorded> {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const account = await requireAccount(tx, accountId);
  const live = await liveKeys(tx, accountId, at);
  const announced = live.map(({ digest }) => digest);
  if (account.plan === plan) return { ...unchanged(account), announced };
  const detail = { from: account.plan, to: plan };
  const event = { accountId, kind: 'plan_changed', detail, at, change: { plan } } as const;
  return { ...(await record(tx, event)), announced };
}

/** The valid keys of an account, newest first, within the bound of their number. */
export async function liveKeys(
  tx: Transaction,
  accountId: string,
  at: Date,
): Promise<readonly KeyState[]> {
  const where = { accountId, ...liveAt(at) };
  const keys = await tx.apiKey.findMany({
    where,
    orderBy: { createdAt: 'desc' },
    take: 10 * LIVE_KEYS_MAX,
  });
  return keys.map(keyStateOf);
}

/** The step that issues a key. @throws TooManyKeys */
export async function issueKey(tx: Transaction, key: NewKey, at: Date): Promise<Recorded> {
  const { accountId, id: keyId, expiresAt, ...rest } = key;
  const digestBucket = bucketOfDigest(key.digest);
  await lockBuckets(tx, [bucketOfAccount(accountId), digestBucket]);
  await requireAccount(tx, accountId);
  const live = await tx.apiKey.count({ where: { accountId, ...liveAt(at) } });
  if (live >= LIVE_KEYS_MAX) {
    throw new TooManyKeys(
      `The account has ${live} active keys; the maximum is ${LIVE_KEYS_MAX}. Revoke one first.`,
    );
  }
  const created = await tx.apiKey.create({
    data: {
      ...key,
      scopes: [...(key.scopes ?? [])],
      isNarrowed: key.scopes !== null,
      createdAt: at,
      digestBucket,
      digestPosition: await nextPosition(tx, digestBucket),
    },
  });
  const detail = { ...rest, expiresAt: expiresAt?.toISOString() ?? null };
  const recorded = await record(tx, { accountId, kind: 'key_issued', detail, at, keyId });
  return { ...recorded, keys: [keyStateOf(created)], owner: ownerOf(created) };
}

/** The step that revokes a key. Idempotent: keeps the time of the first revocation. */
export async function revokeKey(tx: Transaction, keyId: string, at: Date): Promise<Recorded> {
  const { accountId } = await requireKey(tx, keyId);
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const key = await requireKey(tx, keyId);
  const announced = [keyStateOf(key).digest];
  if (key.revokedAt !== null) {
    return { ...unchanged(await requireAccount(tx, accountId), [key]), announced };
  }
  const revoked = await tx.apiKey.update({ where: { id: keyId }, data: { revokedAt: at } });
  const recorded = await record(tx, { accountId, kind: 'key_revoked', detail: {}, at, keyId });
  return { ...recorded, keys: [keyStateOf(revoked)], announced };
}

/** For a step that changes nothing: a repetition still applies what is recorded. */
export function unchanged(account: Account, keys: readonly ApiKey[] = []): Recorded {
  const state = stateOf(account);
  return { account: state, since: state.position, keys: keys.map(keyStateOf) };
}

/** The record of several changes of one account in a transaction, in their order. */
export function together(...all: readonly Recorded[]): Recorded {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('Nothing was recorded.');
  const { account } = last;
  const keys = all.flatMap((each) => each.keys);
  const owner = all.find((each) => each.owner !== undefined)?.owner;
  const announced = [...new Set(all.flatMap((each) => each.announced ?? []))];
  return { account, since: first.since, keys, announced, ...(owner && { owner }) };
}

/** Locks buckets in ascending order, so that two changes of the same buckets cannot deadlock. */
export async function lockBuckets(tx: Transaction, buckets: readonly number[]): Promise<void> {
  const ids = [...new Set(buckets)];
  await tx.$queryRaw`
    SELECT id FROM access.bucket WHERE id = ANY(${ids}::smallint[]) ORDER BY id FOR UPDATE`;
}

/** An event of an account, and the columns of the account that it changes. */
export interface NewEvent {
  readonly accountId: string;
  readonly kind: EventKind;
  readonly detail: Readonly<Record<string, string | number | readonly string[] | null>>;
  readonly at: Date;
  readonly keyId?: string;
  readonly change?: { readonly plan?: PlanId; readonly purchasedCredits?: number };
}

/**
 * Records an event at the next position of the account's bucket, which the transaction must have
 * locked, and moves the account to that position.
 */
export async function record(
  tx: Transaction,
  { accountId, kind, detail, at, keyId, change }: NewEvent,
): Promise<Recorded> {
  const bucket = bucketOfAccount(accountId);
  const { position: since } = await requireAccount(tx, accountId);
  const position = await nextPosition(tx, bucket);
  const account = await tx.account.update({
    where: { id: accountId },
    data: { ...change, position },
  });
  await tx.event.create({
    data: {
      ...{ bucket, position, accountId, kind, recordedAt: at, keyId: keyId ?? null },
      detail: JSON.parse(JSON.stringify(detail)),
    },
  });
  return { account: stateOf(account), since: Number(since), keys: [] };
}

async function nextPosition(tx: Transaction, bucket: number): Promise<bigint> {
  const { position } = await tx.bucket.update({
    where: { id: bucket },
    data: { position: { increment: 1 } },
  });
  return position;
}

/** @throws JournalError if the account does not exist. */
export async function requireAccount(tx: Transaction, accountId: string): Promise<Account> {
  const account = await tx.account.findUnique({ where: { id: accountId } });
  if (account === null) throw new JournalError(`Account ${accountId} does not exist.`);
  return account;
}

/** @throws JournalError if the key does not exist. */
export async function requireKey(tx: Transaction, keyId: string): Promise<ApiKey> {
  const key = await tx.apiKey.findUnique({ where: { id: keyId } });
  if (key === null) throw new JournalError(`No key has the id ${keyId}.`);
  return key;
}

/** Maps the error of a unique constraint. */
export function throwTaken(error: unknown): never {
  if (!isTaken(error)) throw error;
  throw new JournalError('An account with this id or address already exists.');
}

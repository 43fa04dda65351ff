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
import { type AccountSnapshot, type KeyOwner, ownerOf, snapshotOf } from './snapshot.ts';

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

/** A committed change: the new state of the account, and the owner of a new key. */
export interface Recorded {
  readonly account: AccountSnapshot;
  readonly owner?: KeyOwner;
}

/** A change that conflicts with the current state; its message is for the operator. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

export type Journal = ReturnType<typeof createJournal>;

/**
 * The journal in PostgreSQL. Every change of an account or key is committed here first. Positions
 * of a bucket are taken under its row lock, so that they commit in order and without gaps.
 *
 * @throws JournalError from each method, if the account or key is missing or taken.
 */
export function createJournal(database: Database, clock: Clock) {
  const commit = (step: (tx: Transaction, at: Date) => Promise<Recorded>): Promise<Recorded> =>
    database.$transaction((tx) => step(tx, new Date(clock.wallMs())));
  return {
    createAccount: (account: NewAccount) =>
      commit((tx, at) => createAccount(tx, account, at)).catch(throwTaken),
    setPlan: (accountId: string, plan: PlanId) =>
      commit((tx, at) => setPlan(tx, accountId, plan, at)),
    issueKey: (key: NewKey) => commit((tx, at) => issueKey(tx, key, at)),
    /** Idempotent: keeps the time of the first revocation. */
    revokeKey: (keyId: string) => commit((tx, at) => revokeKey(tx, keyId, at)),
  };
}

async function createAccount(tx: Transaction, account: NewAccount, at: Date): Promise<Recorded> {
  const { id: accountId } = account;
  const bucket = bucketOfAccount(accountId);
  await lockBuckets(tx, [bucket]);
  await tx.account.create({ data: { ...account, bucket, position: 0, createdAt: at } });
  return record(tx, { accountId, kind: 'account_created', detail: { ...account }, at });
}

async function setPlan(tx: Transaction, accountId: string, plan: PlanId, at: Date) {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const { plan: from } = await requireAccount(tx, accountId);
  if (from === plan) return { account: await readSnapshot(tx, accountId) };
  const detail = { from, to: plan };
  return record(tx, { accountId, kind: 'plan_changed', detail, at, change: { plan } });
}

/** The step that issues a key, for a transaction with further checks. */
export async function issueKey(tx: Transaction, key: NewKey, at: Date): Promise<Recorded> {
  const { accountId, id: keyId, expiresAt, ...rest } = key;
  const digestBucket = bucketOfDigest(key.digest);
  await lockBuckets(tx, [bucketOfAccount(accountId), digestBucket]);
  await requireAccount(tx, accountId);
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
  return { ...recorded, owner: ownerOf(created) };
}

/** The step that revokes a key. Idempotent. */
export async function revokeKey(tx: Transaction, keyId: string, at: Date): Promise<Recorded> {
  const { accountId } = await requireKey(tx, keyId);
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const { revokedAt } = await requireKey(tx, keyId);
  if (revokedAt !== null) return { account: await readSnapshot(tx, accountId) };
  await tx.apiKey.update({ where: { id: keyId }, data: { revokedAt: at } });
  return record(tx, { accountId, kind: 'key_revoked', detail: {}, at, keyId });
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
  const position = await nextPosition(tx, bucket);
  await tx.account.update({ where: { id: accountId }, data: { ...change, position } });
  await tx.event.create({
    data: {
      ...{ bucket, position, accountId, kind, recordedAt: at, keyId: keyId ?? null },
      detail: JSON.parse(JSON.stringify(detail)),
    },
  });
  return { account: await readSnapshot(tx, accountId) };
}

async function nextPosition(tx: Transaction, bucket: number): Promise<bigint> {
  const { position } = await tx.bucket.update({
    where: { id: bucket },
    data: { position: { increment: 1 } },
  });
  return position;
}

/** The current state of an account within the transaction. */
export async function readSnapshot(tx: Transaction, accountId: string): Promise<AccountSnapshot> {
  const account = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    include: { keys: true },
  });
  return snapshotOf(account);
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

function throwTaken(error: unknown): never {
  if (!isTaken(error)) throw error;
  throw new JournalError('An account with this id or address already exists.');
}

import {
  BUCKETS,
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

/** What can happen to accounts and keys. */
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
  /** The first characters, for the owner to tell keys apart. */
  readonly hint: string;
  readonly label: string | null;
  readonly origin: KeyOrigin;
  /** null: everything the plan allows. */
  readonly scopes: readonly Scope[] | null;
  readonly expiresAt: Date | null;
}

/** A change as committed: how the account stands now, and the key's owner if a key is new. */
export interface Recorded {
  readonly account: AccountSnapshot;
  readonly owner?: KeyOwner;
}

/** A change the journal refuses because of how things stand; the message is for the operator. */
export class JournalRefusal extends Error {
  override readonly name = 'JournalRefusal';
}

/**
 * The journal in PostgreSQL: every change of an account or key is committed here before anything
 * else hears of it (decisions §7). Positions of a bucket are taken under its row lock, so they are
 * committed in order and without gaps.
 */
export interface Journal {
  createAccount(account: NewAccount): Promise<Recorded>;
  setPlan(accountId: string, plan: PlanId): Promise<Recorded>;
  issueKey(key: NewKey): Promise<Recorded>;
  /** Idempotent: the first revocation counts. */
  revokeKey(keyId: string): Promise<Recorded>;
}

/** @throws JournalRefusal from each method, when the account or key is not as needed. */
export function createJournal(database: Database, clock: Clock): Journal {
  const now = (): Date => new Date(clock.wallMs());
  return {
    createAccount: (account) =>
      database.$transaction((tx) => createAccount(tx, account, now())).catch(refuseTaken),
    setPlan: (accountId, plan) =>
      database.$transaction((tx) => setPlan(tx, accountId, plan, now())),
    issueKey: (key) => database.$transaction((tx) => issueKey(tx, key, now())),
    revokeKey: (keyId) => database.$transaction((tx) => revokeKey(tx, keyId, now())),
  };
}

async function createAccount(tx: Transaction, account: NewAccount, at: Date): Promise<Recorded> {
  const bucket = bucketOfAccount(account.id);
  await lockBuckets(tx, [bucket]);
  const position = await nextPosition(tx, bucket);
  await tx.account.create({ data: { ...account, bucket, position, createdAt: at } });
  await record(tx, bucket, position, account.id, 'account_created', { ...account }, at);
  return { account: await read(tx, account.id) };
}

async function setPlan(tx: Transaction, accountId: string, plan: PlanId, at: Date) {
  const bucket = bucketOfAccount(accountId);
  await lockBuckets(tx, [bucket]);
  const account = await requireAccount(tx, accountId);
  if (account.plan !== plan) {
    const position = await nextPosition(tx, bucket);
    await tx.account.update({ where: { id: accountId }, data: { plan, position } });
    const detail = { from: account.plan, to: plan };
    await record(tx, bucket, position, accountId, 'plan_changed', detail, at);
  }
  return { account: await read(tx, accountId) };
}

/** The step that issues a key, for a transaction that checks something beside it. */
export async function issueKey(tx: Transaction, key: NewKey, at: Date): Promise<Recorded> {
  const bucket = bucketOfAccount(key.accountId);
  const digestBucket = bucketOfDigest(key.digest);
  await lockBuckets(tx, [bucket, digestBucket]);
  await requireAccount(tx, key.accountId);
  const digestPosition = await nextPosition(tx, digestBucket);
  const position = await nextPosition(tx, bucket);
  const created = await tx.apiKey.create({
    data: {
      ...key,
      scopes: [...(key.scopes ?? [])],
      isNarrowed: key.scopes !== null,
      createdAt: at,
      digestBucket,
      digestPosition,
    },
  });
  await tx.account.update({ where: { id: key.accountId }, data: { position } });
  const { accountId, id: keyId, expiresAt, ...detail } = key;
  const issued = { ...detail, expiresAt: expiresAt?.toISOString() ?? null };
  await record(tx, bucket, position, accountId, 'key_issued', issued, at, keyId);
  return { account: await read(tx, accountId), owner: ownerOf(created) };
}

/** The step that revokes a key. Idempotent. */
export async function revokeKey(tx: Transaction, keyId: string, at: Date): Promise<Recorded> {
  const found = await requireKey(tx, keyId);
  const bucket = bucketOfAccount(found.accountId);
  await lockBuckets(tx, [bucket]);
  const key = await requireKey(tx, keyId);
  if (key.revokedAt === null) {
    const position = await nextPosition(tx, bucket);
    await tx.apiKey.update({ where: { id: keyId }, data: { revokedAt: at } });
    await tx.account.update({ where: { id: key.accountId }, data: { position } });
    await record(tx, bucket, position, key.accountId, 'key_revoked', {}, at, keyId);
  }
  return { account: await read(tx, key.accountId) };
}

/** In ascending order, so that two changes that need the same two buckets cannot deadlock. */
export async function lockBuckets(tx: Transaction, buckets: readonly number[]): Promise<void> {
  const ids = [...new Set(buckets)];
  await tx.$queryRaw`
    SELECT id FROM access.bucket WHERE id = ANY(${ids}::smallint[]) ORDER BY id FOR UPDATE`;
}

/** The next position of a bucket that the transaction has locked. */
export async function nextPosition(tx: Transaction, bucket: number): Promise<bigint> {
  if (bucket < 0 || bucket >= BUCKETS) throw new RangeError(`There is no bucket ${bucket}.`);
  const { position } = await tx.bucket.update({
    where: { id: bucket },
    data: { position: { increment: 1 } },
  });
  return position;
}

/** Writes down what happened, under the position it took. */
export async function record(
  tx: Transaction,
  bucket: number,
  position: bigint,
  accountId: string,
  kind: EventKind,
  detail: Readonly<Record<string, string | number | readonly string[] | null>>,
  recordedAt: Date,
  keyId: string | null = null,
): Promise<void> {
  const data = { bucket, position, accountId, keyId, kind, detail, recordedAt };
  await tx.event.create({ data: { ...data, detail: JSON.parse(JSON.stringify(detail)) } });
}

/** The account as it stands within the transaction. */
export async function read(tx: Transaction, accountId: string): Promise<AccountSnapshot> {
  const account = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    include: { keys: true },
  });
  return snapshotOf(account);
}

/** @throws JournalRefusal when there is no such account. */
export async function requireAccount(tx: Transaction, accountId: string): Promise<Account> {
  const account = await tx.account.findUnique({ where: { id: accountId } });
  if (account === null) throw new JournalRefusal(`There is no account ${accountId}.`);
  return account;
}

/** @throws JournalRefusal when there is no such key. */
export async function requireKey(tx: Transaction, keyId: string): Promise<ApiKey> {
  const key = await tx.apiKey.findUnique({ where: { id: keyId } });
  if (key === null) throw new JournalRefusal(`There is no key with the id ${keyId}.`);
  return key;
}

function refuseTaken(error: unknown): never {
  if (!isTaken(error)) throw error;
  throw new JournalRefusal('There is already an account with that id or address.');
}

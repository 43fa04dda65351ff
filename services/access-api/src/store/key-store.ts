import {
  accountKeys,
  BUCKETS,
  bucketOfAccount,
  bucketOfDigest,
  isPlanId,
  KEY_CHANGES_STREAM,
  type KeyCheck,
  type KeyDigest,
  ownerKey,
  positionKey,
} from '@vcds/credentials';
import { createRedisLedger } from '@vcds/metering/redis';
import type { Clock, RedisClient } from '@vcds/service-kit';
import { ADVANCE, APPLY_ACCOUNT, APPLY_OWNER } from './scripts.ts';
import type { AccountSnapshot, KeyOwner } from './snapshot.ts';
import { decodeStoredKey, encodeStoredKey, type StoredKey } from './stored-key.ts';

const CHANGES_KEPT = 10_000;

/** A look-up of a key, and the positions of the buckets it went through, by bucket. */
export interface Lookup {
  readonly check: KeyCheck;
  readonly positions: ReadonlyMap<number, number>;
}

/**
 * Accounts and keys in Redis: what is served. All of it can be rebuilt from the journal. Writes are
 * sent at once, so those that are not awaited in between are carried out in the order of the calls.
 */
export interface KeyStore {
  /**
   * Brings purchased credits to a snapshot. To be awaited before the account is applied, so that a
   * position never claims a purchase that is missing. A total never falls, so this may come in any
   * order and as often as it likes.
   */
  applyPurchases(snapshot: AccountSnapshot): Promise<void>;
  /**
   * Brings an account to a snapshot; resolves with the positions the account and bucket have.
   * `previous`: the position up to which everything of the bucket was applied before this.
   */
  applyAccount(
    snapshot: AccountSnapshot,
    previous: number,
  ): Promise<{ applied: number; bucketPosition: number }>;
  /** Says whose key a digest is; resolves with the position the digest's bucket has. */
  applyOwner(owner: KeyOwner, previous: number): Promise<number>;
  /** To be called once everything of the bucket up to `position` is applied. */
  advance(bucket: number, previous: number, position: number): Promise<number>;
  /** Tells every data-api to forget what it knows about these keys. */
  announce(digests: readonly KeyDigest[]): Promise<void>;
  /** Whether a key opens anything, as Redis knows it. */
  lookup(digest: KeyDigest): Promise<Lookup>;
  /** How far into the journal each bucket goes, by bucket number. */
  positions(): Promise<readonly number[]>;
}

export function createKeyStore(redis: RedisClient, clock: Clock): KeyStore {
  const { accounts: credits } = createRedisLedger({ redis });
  return {
    applyPurchases: async ({ accountId, purchasedCredits }) => {
      if (purchasedCredits > 0) await credits.setPurchased(accountId, purchasedCredits);
    },
    applyAccount: (snapshot, previous) => applyAccount(redis, snapshot, previous),
    applyOwner: async ({ digest, accountId, keyId, bucket, position }, previous) => {
      const keys = [ownerKey(digest), positionKey(bucket)];
      const owner = `${accountId} ${keyId}`;
      return Number(await APPLY_OWNER(redis, keys, [previous, position, owner]));
    },
    advance: async (bucket, previous, position) =>
      Number(await ADVANCE(redis, [positionKey(bucket)], [previous, position])),
    announce: (digests) => announce(redis, digests),
    lookup: (digest) => lookup(redis, digest, clock),
    positions: async () => {
      const buckets = Array.from({ length: BUCKETS }, (_, bucket) => bucket);
      return Promise.all(buckets.map(async (bucket) => readPosition(redis, bucket)));
    },
  };
}

async function applyAccount(redis: RedisClient, snapshot: AccountSnapshot, previous: number) {
  const { account, keys, revoked } = accountKeys(snapshot.accountId);
  const states = snapshot.keys.flatMap((key) => [
    key.keyId,
    encodeStoredKey(key),
    key.revokedAt === null ? 'live' : 'revoked',
  ]);
  const names = [account, keys, revoked, positionKey(snapshot.bucket)];
  const args = [previous, snapshot.position, snapshot.plan, ...states];
  const reply = await APPLY_ACCOUNT(redis, names, args);
  const [applied, bucketPosition] = reply as [number, number];
  return { applied, bucketPosition };
}

async function announce(redis: RedisClient, digests: readonly KeyDigest[]): Promise<void> {
  for (const digest of digests) {
    await redis.xadd(KEY_CHANGES_STREAM, 'MAXLEN', '~', CHANGES_KEPT, '*', 'digest', digest);
  }
}

async function readPosition(redis: RedisClient, bucket: number): Promise<number> {
  return Number((await redis.get(positionKey(bucket))) ?? 0);
}

async function lookup(redis: RedisClient, digest: KeyDigest, clock: Clock): Promise<Lookup> {
  const digestBucket = bucketOfDigest(digest);
  const [owner, digestPosition] = await redis.mget(ownerKey(digest), positionKey(digestBucket));
  const positions = new Map([[digestBucket, Number(digestPosition ?? 0)]]);
  const [accountId, keyId] = owner?.split(' ') ?? [];
  if (accountId === undefined || keyId === undefined) {
    return { check: { rejected: 'unknown' }, positions };
  }
  const bucket = bucketOfAccount(accountId);
  const names = accountKeys(accountId);
  // All of one slot and sent together: one round trip.
  const [plan, stored, position] = await Promise.all([
    redis.hget(names.account, 'plan'),
    redis.hget(names.keys, keyId),
    redis.get(positionKey(bucket)),
  ]);
  positions.set(bucket, Number(position ?? 0));
  if (stored === null) return { check: { rejected: 'unknown' }, positions };
  return { check: judge(decodeStoredKey(stored), { accountId, keyId }, plan, clock), positions };
}

/** What a key's state, and its account's plan, come to at this moment. */
export function judge(
  { scopes, expiresAt, revokedAt }: StoredKey,
  { accountId, keyId }: { accountId: string; keyId: string },
  plan: string | null,
  clock: Clock,
): KeyCheck {
  if (revokedAt !== null) return { rejected: 'revoked' };
  if (expiresAt !== null && expiresAt.getTime() <= clock.wallMs()) return { rejected: 'expired' };
  if (!isPlanId(plan)) throw new Error(`Redis holds no plan for account ${accountId}.`);
  const narrowed = scopes === null ? null : new Set(scopes);
  return { principal: { accountId, keyId, plan, scopes: narrowed, expiresAt } };
}

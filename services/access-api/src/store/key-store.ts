import {
  accountKeys,
  BUCKETS,
  bucketOfAccount,
  bucketOfDigest,
  isPlanId,
  isScope,
  KEY_CHANGES_STREAM,
  type KeyCheck,
  type KeyDigest,
  ownerKey,
  positionKey,
} from '@vcds/credentials';
import { createRedisLedger } from '@vcds/metering/redis';
import type { Clock, RedisClient } from '@vcds/service-kit';
import { ADVANCE, APPLY_ACCOUNT, APPLY_KEYS, APPLY_OWNER } from './scripts.ts';
import {
  type AccountSnapshot,
  type AccountState,
  ENDED_KEPT_MS,
  type KeyOwner,
  type KeyState,
} from './snapshot.ts';

const CHANGES_KEPT = 10_000;

/** A key check, and the positions of the buckets that it read, by bucket number. */
export interface Lookup {
  readonly check: KeyCheck;
  readonly positions: ReadonlyMap<number, number>;
}

/**
 * Accounts and keys in Redis, from which keys are checked. The journal can rebuild all of it.
 * Writes are sent immediately: without an `await` in between they execute in the order of the
 * calls.
 */
export type KeyStore = ReturnType<typeof createKeyStore>;

export function createKeyStore(redis: RedisClient, clock: Clock) {
  const { accounts: credits } = createRedisLedger({ redis });
  return {
    /**
     * Applies the purchased credits of a snapshot. Await it before `applyAccount`, so that no
     * position covers a missing purchase. Totals never decrease: any order and any repetition is
     * safe.
     */
    applyPurchases: async ({ accountId, purchasedCredits }: AccountState): Promise<void> => {
      if (purchasedCredits > 0) await credits.setPurchased(accountId, purchasedCredits);
    },
    /**
     * Applies a snapshot of an account; resolves with the resulting positions of account and bucket.
     * `previous`: the position up to which all changes of the bucket are applied.
     */
    applyAccount: (
      snapshot: AccountSnapshot,
      previous: number,
    ): Promise<{ applied: number; bucketPosition: number }> =>
      applyAccount(redis, snapshot, previous),
    /**
     * Applies the changed keys of an account, in time that does not depend on its other keys. `since`: the
     * account's position before the change. Resolves as `applyAccount`, with `applied` undefined if
     * a snapshot must be applied instead: Redis lacks earlier changes, or has many ended keys.
     */
    applyKeys: (
      state: AccountState,
      since: number,
      keys: readonly KeyState[],
    ): Promise<{ applied: number | undefined; bucketPosition: number }> =>
      applyKeys(redis, state, since, keys),
    /** Removes an account that cannot be applied: the journal is asked about its keys. */
    remove: async (accountId: string): Promise<void> => {
      const { account, keys, revoked } = accountKeys(accountId);
      await redis.unlink(account, keys, revoked);
    },
    /** Sets how long the owners of revoked keys are kept. */
    endOwners: async (ended: readonly KeyState[]): Promise<void> => {
      const owners = ended.filter(({ revokedAt }) => revokedAt !== null);
      await Promise.all(owners.map(({ digest }) => redis.pexpire(ownerKey(digest), ENDED_KEPT_MS)));
    },
    /** Stores the owner of a digest; resolves with the resulting position of the digest's bucket. */
    applyOwner: async (
      { digest, accountId, keyId, bucket, position, endsAt }: KeyOwner,
      previous: number,
    ): Promise<number> => {
      const keys = [ownerKey(digest), positionKey(bucket)];
      const owner = `${accountId} ${keyId}`;
      const keepMs = endsAt === null ? 0 : endsAt.getTime() + ENDED_KEPT_MS - clock.wallMs();
      const kept = endsAt === null || keepMs >= 1 ? Math.ceil(keepMs) : -1;
      return Number(await APPLY_OWNER(redis, keys, [previous, position, owner, kept]));
    },
    /** Moves a bucket to `position`. Call it once all changes up to there are applied. */
    advance: async (bucket: number, previous: number, position: number): Promise<number> =>
      Number(await ADVANCE(redis, [positionKey(bucket)], [previous, position])),
    /** Notifies every data-api to remove these keys from its cache. */
    announce: (digests: readonly KeyDigest[]): Promise<void> => announce(redis, digests),
    /** Checks a key by the state in Redis. */
    lookup: (digest: KeyDigest): Promise<Lookup> => lookup(redis, digest, clock),
    /** The applied position of each bucket, by bucket number. */
    positions: async (): Promise<readonly number[]> => {
      const buckets = Array.from({ length: BUCKETS }, (_, bucket) => bucket);
      return Promise.all(buckets.map(async (bucket) => readPosition(redis, bucket)));
    },
  };
}

function namesOf({ accountId, bucket }: AccountState): string[] {
  const { account, keys, revoked } = accountKeys(accountId);
  return [account, keys, revoked, positionKey(bucket)];
}

function argumentsOf(keys: readonly KeyState[]): string[] {
  return keys.flatMap((key) => [
    key.keyId,
    encodeStoredKey(key),
    key.revokedAt === null ? 'live' : 'revoked',
  ]);
}

async function applyKeys(
  redis: RedisClient,
  state: AccountState,
  since: number,
  keys: readonly KeyState[],
) {
  const { position, plan } = state;
  const args = [position - 1, position, plan, since, ...argumentsOf(keys)];
  const reply = await APPLY_KEYS(redis, namesOf(state), args);
  const [applied, bucketPosition] = reply as [number, number];
  return { applied: applied === -1 ? undefined : applied, bucketPosition };
}

async function applyAccount(redis: RedisClient, snapshot: AccountSnapshot, previous: number) {
  const args = [previous, snapshot.position, snapshot.plan, ...argumentsOf(snapshot.keys)];
  const reply = await APPLY_ACCOUNT(redis, namesOf(snapshot), args);
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
  // One slot, sent together: one round trip.
  const [plan, stored, position] = await Promise.all([
    redis.hget(names.account, 'plan'),
    redis.hget(names.keys, keyId),
    redis.get(positionKey(bucket)),
  ]);
  positions.set(bucket, Number(position ?? 0));
  if (stored === null) return { check: { rejected: 'unknown' }, positions };
  return {
    check: evaluateKey(decodeStoredKey(stored), { accountId, keyId }, plan, clock),
    positions,
  };
}

/** Checks a key by its state and the plan of its account. */
export function evaluateKey(
  { scopes, expiresAt, revokedAt }: StoredKey,
  { accountId, keyId }: { accountId: string; keyId: string },
  plan: string | null,
  clock: Clock,
): KeyCheck {
  if (revokedAt !== null) return { rejected: 'revoked' };
  if (expiresAt !== null && expiresAt.getTime() <= clock.wallMs()) return { rejected: 'expired' };
  if (!isPlanId(plan)) throw new Error(`Redis has no plan for account ${accountId}.`);
  const narrowed = scopes === null ? null : new Set(scopes);
  return { principal: { accountId, keyId, plan, scopes: narrowed, expiresAt } };
}

/** A key as stored in Redis, under its account. */
type StoredKey = Pick<KeyState, 'scopes' | 'expiresAt' | 'revokedAt'>;

function encodeStoredKey({ scopes, expiresAt, revokedAt }: KeyState): string {
  return JSON.stringify({ scopes, expiresAt, revokedAt });
}

/** @throws Error for any other text, so that the key is not accepted. */
function decodeStoredKey(text: string): StoredKey {
  const { scopes, expiresAt, revokedAt } = JSON.parse(text) as Record<string, unknown>;
  if (scopes !== null && !(Array.isArray(scopes) && scopes.every(isScope))) {
    throw new Error('A key in Redis has invalid scopes.');
  }
  return { scopes, expiresAt: instant(expiresAt), revokedAt: instant(revokedAt) };
}

function instant(value: unknown): Date | null {
  if (value === null) return null;
  const date = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(date.getTime())) throw new Error('A key in Redis has an invalid date.');
  return date;
}

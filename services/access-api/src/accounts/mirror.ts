import {
  accountKeys,
  BUCKETS,
  bucketOfAccount,
  isCreditLimit,
  isScope,
  KEY_CHANGES_STREAM,
  type KeyCheck,
  type KeyDigest,
  ownerKey,
  positionKey,
} from '@vcds/credentials';
import { createRedisLedger } from '@vcds/metering/redis';
import type { Clock, RedisClient } from '@vcds/service-kit';
import { ADVANCE, APPLY } from './mirror-scripts.ts';
import {
  type AccountSnapshot,
  type AccountState,
  ENDED_KEPT_MS,
  evaluateKey,
  type KeyState,
} from './state.ts';

const CHANGES_KEPT = 10_000;
/** In place of the position before a change: all keys of the account are given. */
const WHOLE = -1;

/** A key check, and where the bucket of its account was; undefined: Redis does not have the key. */
export interface Lookup {
  readonly check: KeyCheck;
  readonly read: { readonly bucket: number; readonly position: number } | undefined;
}

/** The resulting positions of an account and of its bucket. */
export interface Applied {
  readonly applied: number;
  readonly bucketPosition: number;
}

/**
 * The copy of accounts and keys in Redis, from which keys are checked. The journal can rebuild all
 * of it. Any order and any repetition of writes is safe.
 */
export type Mirror = ReturnType<typeof createMirror>;

export function createMirror(redis: RedisClient, clock: Clock) {
  const { accounts: credits } = createRedisLedger({ redis });
  /** Stores whose key a digest is, which never changes, until some time after the end of the key. */
  const writeOwner = async (accountId: string, key: KeyState): Promise<void> => {
    const { digest, keyId, expiresAt, revokedAt } = key;
    const ends = [expiresAt, revokedAt].flatMap((end) => (end === null ? [] : [end.getTime()]));
    const [name, owner] = [ownerKey(digest), `${accountId} ${keyId}`];
    const keepMs = Math.min(...ends) + ENDED_KEPT_MS - clock.wallMs();
    if (ends.length === 0) await redis.set(name, owner);
    else if (keepMs >= 1) await redis.set(name, owner, 'PX', keepMs);
  };
  return {
    /**
     * The part of a change outside of its account's slot: the owners of its keys, and purchases,
     * whose totals never decrease. Await it before the account is applied, so that no position covers
     * what is missing.
     */
    prepare: async (
      { accountId, purchasedCredits }: AccountState,
      keys: readonly KeyState[],
    ): Promise<void> => {
      if (purchasedCredits > 0) await credits.setPurchased(accountId, purchasedCredits);
      await Promise.all(keys.map((key) => writeOwner(accountId, key)));
    },
    writeOwner,
    /**
     * Applies a whole account. `previous`: the position up to which all changes of the bucket are
     * applied. Sent immediately: calls without an `await` in between execute in their order.
     */
    applyAccount: (snapshot: AccountSnapshot, previous: number): Promise<Applied> =>
      apply(redis, snapshot, { since: WHOLE, previous, keys: snapshot.keys }),
    /**
     * Applies the changed keys of an account, in time that does not depend on its other keys.
     * `applied` is -1 if the whole account must be applied instead.
     */
    applyKeys: (state: AccountState, change: ChangedKeys): Promise<Applied> =>
      apply(redis, state, change),
    /** Removes an account that cannot be applied: the journal is asked about its keys. */
    remove: async (accountId: string): Promise<void> => {
      const { account, keys, revoked } = accountKeys(accountId);
      await redis.unlink(account, keys, revoked);
    },
    /** Moves a bucket to `position`. Call it once all changes up to there are applied. */
    advance: async (bucket: number, previous: number, position: number): Promise<number> =>
      Number(await ADVANCE(redis, [positionKey(bucket)], [previous, position])),
    /** Notifies every data-api to remove these keys from its cache. */
    announce: async (digests: readonly KeyDigest[]): Promise<void> => {
      for (const digest of digests) {
        await redis.xadd(KEY_CHANGES_STREAM, 'MAXLEN', '~', CHANGES_KEPT, '*', 'digest', digest);
      }
    },
    /** Checks a key by the state in Redis. */
    lookup: (digest: KeyDigest): Promise<Lookup> => lookup(redis, digest, clock),
    /** The applied position of each bucket, by bucket number. */
    positions: async (): Promise<readonly number[]> => {
      const buckets = Array.from({ length: BUCKETS }, (_, bucket) => positionKey(bucket));
      return Promise.all(buckets.map(async (key) => Number((await redis.get(key)) ?? 0)));
    },
  };
}

/** The keys that a change changed, and the positions before it: of the account, and of its bucket. */
export interface ChangedKeys {
  readonly keys: readonly KeyState[];
  readonly since: number;
  readonly previous: number;
}

async function apply(
  redis: RedisClient,
  { accountId, bucket, position, plan }: AccountState,
  { since, previous, keys: changed }: ChangedKeys,
): Promise<Applied> {
  const { account, keys, revoked } = accountKeys(accountId);
  const args = changed.flatMap((key) => [
    key.keyId,
    encodeStoredKey(key),
    key.revokedAt === null ? 'live' : 'revoked',
  ]);
  const names = [account, keys, revoked, positionKey(bucket)];
  const reply = await APPLY(redis, names, [previous, position, plan, since, ...args]);
  const [applied, bucketPosition] = reply as [number, number];
  return { applied, bucketPosition };
}

async function lookup(redis: RedisClient, digest: KeyDigest, clock: Clock): Promise<Lookup> {
  const unknown = { rejected: 'unknown' } as const;
  const owner = await redis.get(ownerKey(digest));
  const [accountId, keyId] = owner?.split(' ') ?? [];
  if (accountId === undefined || keyId === undefined) return { check: unknown, read: undefined };
  const bucket = bucketOfAccount(accountId);
  const names = accountKeys(accountId);
  // One slot, sent together: one round trip.
  const [plan, stored, position] = await Promise.all([
    redis.hget(names.account, 'plan'),
    redis.hget(names.keys, keyId),
    redis.get(positionKey(bucket)),
  ]);
  const read = { bucket, position: Number(position ?? 0) };
  if (stored === null) return { check: unknown, read };
  const key = decodeStoredKey(stored);
  return { check: evaluateKey(key, { accountId, keyId }, plan, clock.wallMs()), read };
}

/** A key as stored in Redis, under its account. */
type StoredKey = Omit<KeyState, 'keyId' | 'digest'>;

function encodeStoredKey({ scopes, expiresAt, revokedAt, creditLimit }: KeyState): string {
  return JSON.stringify({ scopes, expiresAt, revokedAt, creditLimit });
}

/** @throws Error for any other text, so that the key is not accepted. */
function decodeStoredKey(text: string): StoredKey {
  // An earlier version wrote no limit.
  const key = JSON.parse(text) as Record<string, unknown>;
  const { scopes, expiresAt, revokedAt, creditLimit = null } = key;
  if (scopes !== null && !(Array.isArray(scopes) && scopes.every(isScope))) {
    throw new Error('A key in Redis has invalid scopes.');
  }
  if (creditLimit !== null && !isCreditLimit(creditLimit)) {
    throw new Error('A key in Redis has an invalid limit.');
  }
  return { scopes, expiresAt: instant(expiresAt), revokedAt: instant(revokedAt), creditLimit };
}

function instant(value: unknown): Date | null {
  if (value === null) return null;
  const date = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(date.getTime())) throw new Error('A key in Redis has an invalid date.');
  return date;
}

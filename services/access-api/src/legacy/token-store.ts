import { type KeyDigest, LEGACY_TOKEN_SECONDS, legacyTokenKey } from '@vcds/credentials';
import { ApiError, type Clock, orUnavailable, type RedisClient } from '@vcds/service-kit';
import type { Limit } from '../registration/limits.ts';
import { uniqueMember } from '../registration/redis-keys.ts';
import { COUNT_CALL } from '../registration/scripts.ts';

/**
 * Tokens of one key within any hour, and so current at one time: each is kept beside everybody's
 * credits and costs a signature, and one is enough for an hour.
 */
export const TOKENS_PER_KEY: Limit = Object.freeze({
  max: 60,
  windowMs: LEGACY_TOKEN_SECONDS * 1_000,
});

/**
 * The tokens that are current (decisions §7): each `jti` with the digest of its key, in Redis until
 * the token expires. A token that is not on record opens nothing, whoever signed it.
 *
 * Each method rejects with ApiError `unavailable` while Redis does not answer.
 */
export interface TokenStore {
  /**
   * To be called before the token is signed and given out.
   *
   * @throws ApiError `too_many_requests` beyond TOKENS_PER_KEY, with the time to wait.
   */
  keep(tokenId: string, digest: KeyDigest): Promise<void>;
  /** Whether the token is on record, and for this key. */
  isKept(tokenId: string, digest: KeyDigest): Promise<boolean>;
  /** Removes a token that was found expired (spec §5.3). Idempotent. */
  remove(tokenId: string): Promise<void>;
}

export function createTokenStore(redis: RedisClient, clock: Clock): TokenStore {
  const { max, windowMs } = TOKENS_PER_KEY;
  return {
    keep: async (tokenId, digest) => {
      const args = [clock.wallMs(), max, windowMs, uniqueMember()];
      const counted = COUNT_CALL(redis, [`legacy-tokens-of:${digest}`], args);
      const waitMs = Number(await answered(counted));
      if (waitMs > 0) throw tooMany(waitMs);
      await answered(redis.set(legacyTokenKey(tokenId), digest, 'EX', LEGACY_TOKEN_SECONDS));
    },
    isKept: async (tokenId, digest) =>
      (await answered(redis.get(legacyTokenKey(tokenId)))) === digest,
    remove: async (tokenId) => void (await answered(redis.del(legacyTokenKey(tokenId)))),
  };
}

function tooMany(waitMs: number): ApiError {
  return new ApiError(
    'too_many_requests',
    `Credentials give at most ${TOKENS_PER_KEY.max} tokens within an hour; use one until it expires.`,
    { retryAfterSeconds: waitMs / 1000 },
  );
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'Tokens cannot be checked at the moment; retry once later.');
}

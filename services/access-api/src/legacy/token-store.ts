import { type KeyDigest, LEGACY_TOKEN_SECONDS, legacyTokenKey } from '@vcds/credentials';
import { ApiError, type RedisClient } from '@vcds/service-kit';

/**
 * The tokens that are current (decisions §7): each `jti` with the digest of its key, in Redis until
 * the token expires. A token that is not on record opens nothing, whoever signed it.
 *
 * Each method rejects with ApiError `unavailable` while Redis does not answer.
 */
export interface TokenStore {
  /** To be called before the token is given out. */
  keep(tokenId: string, digest: KeyDigest): Promise<void>;
  /** Whether the token is on record, and for this key. */
  isKept(tokenId: string, digest: KeyDigest): Promise<boolean>;
  /** Removes a token that was found expired (spec §5.3). Idempotent. */
  remove(tokenId: string): Promise<void>;
}

export function createTokenStore(redis: RedisClient): TokenStore {
  return {
    keep: async (tokenId, digest) => {
      await answered(redis.set(legacyTokenKey(tokenId), digest, 'EX', LEGACY_TOKEN_SECONDS));
    },
    isKept: async (tokenId, digest) =>
      (await answered(redis.get(legacyTokenKey(tokenId)))) === digest,
    remove: async (tokenId) => void (await answered(redis.del(legacyTokenKey(tokenId)))),
  };
}

async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    const message = 'Tokens cannot be checked at the moment; retry once later.';
    throw new ApiError('unavailable', message, {}, { cause: error });
  }
}

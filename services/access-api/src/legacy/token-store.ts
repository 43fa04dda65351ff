import {
  type KeyDigest,
  LEGACY_TOKEN_SECONDS,
  legacyTokenKey,
  readLegacyToken,
} from '@vcds/credentials';
import {
  ApiError,
  type Clock,
  orUnavailable,
  type RedisClient,
  unauthorizedToken,
} from '@vcds/service-kit';
import type { KeyChecker } from '../keys/check-key.ts';
import type { TokenChecker } from '../keys/identify-caller.ts';
import { COUNT_CALL, type Limit, uniqueMember } from '../limits/windows.ts';
import type { SigningKeys } from './legacy-config.ts';

/**
 * Tokens of one key within any hour, which are also those valid at the same time: each takes memory
 * of the Redis of all accounts and a signature, and one is enough for an hour.
 */
export const TOKENS_PER_KEY: Limit = Object.freeze({
  max: 60,
  windowMs: LEGACY_TOKEN_SECONDS * 1_000,
});

export type TokenStore = ReturnType<typeof createTokenStore>;

/**
 * The valid tokens: each `jti` with the digest of its key, in Redis until the token expires. A
 * token that is not in the store is invalid, even with a valid signature.
 *
 * Each method rejects with ApiError `unavailable` while Redis does not answer.
 */
export function createTokenStore(redis: RedisClient, clock: Clock) {
  const { max, windowMs } = TOKENS_PER_KEY;
  return {
    /**
     * Must be called before the token is signed and issued.
     *
     * @throws ApiError `too_many_requests` beyond TOKENS_PER_KEY, with the time to wait.
     */
    store: async (tokenId: string, digest: KeyDigest): Promise<void> => {
      const args = [clock.wallMs(), max, windowMs, uniqueMember()];
      const counted = COUNT_CALL(redis, [`legacy-tokens-of:${digest}`], args);
      const waitMs = Number(await answered(counted));
      if (waitMs > 0) throw tooMany(waitMs);
      await answered(redis.set(legacyTokenKey(tokenId), digest, 'EX', LEGACY_TOKEN_SECONDS));
    },
    /** Whether the store has the token, for this key. */
    has: async (tokenId: string, digest: KeyDigest): Promise<boolean> =>
      (await answered(redis.get(legacyTokenKey(tokenId)))) === digest,
    /** Removes an expired token. Idempotent. */
    remove: async (tokenId: string): Promise<void> =>
      void (await answered(redis.del(legacyTokenKey(tokenId)))),
  };
}

function tooMany(waitMs: number): ApiError {
  return new ApiError(
    'too_many_requests',
    `At most ${TOKENS_PER_KEY.max} tokens an hour are issued for a key. Use each until it expires.`,
    { retryAfterSeconds: waitMs / 1000 },
  );
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'Tokens are temporarily unavailable. Retry later.');
}

interface TokenCheckerOptions {
  readonly keys: Pick<SigningKeys, 'byId'>;
  readonly tokens: TokenStore;
  readonly checkKey: KeyChecker;
  readonly clock: Clock;
}

export function createTokenChecker(options: TokenCheckerOptions): TokenChecker {
  const { keys, tokens, checkKey, clock } = options;
  return async (text) => {
    const reading = await readLegacyToken(text, (kid) => keys.byId.get(kid), clock);
    if (reading.status === 'foreign') throw unauthorizedToken('unknown');
    const { tokenId, digest } = reading.token;
    if (reading.status === 'expired') {
      await tokens.remove(tokenId);
      throw unauthorizedToken('expired');
    }
    if (!(await tokens.has(tokenId, digest))) throw unauthorizedToken('unknown');
    return checkKey(digest);
  };
}

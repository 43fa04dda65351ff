import { ApiError, type Clock, type RedisClient } from '@vcds/service-kit';
import type { Limit } from '../registration/limits.ts';
import { uniqueMember } from '../registration/redis-keys.ts';
import { COUNT_CALL } from '../registration/scripts.ts';
import type { RegistrationSecrets } from '../registration/secrets.ts';

const HOUR_MS = 60 * 60 * 1_000;

/**
 * Wrong passwords within any hour. A network reaches its bound well before the user name does, so
 * that nobody locks another out from one place.
 */
export const PASSWORD_LIMITS = Object.freeze({
  perNetwork: Object.freeze({ max: 20, windowMs: HOUR_MS }),
  perUserName: Object.freeze({ max: 50, windowMs: HOUR_MS }),
});

/** One attempt, counted. To be taken back when the password was right. */
export interface Attempt {
  takeBack(): Promise<void>;
}

/** Counts attempts at passwords before they are looked at. */
export interface AttemptLimits {
  /**
   * Counts an attempt against the network and the user name, whether there is such a user or not.
   * Each count is one atomic script: of any number at once, no more than the bound get through.
   *
   * @throws ApiError `too_many_requests` with the time to wait; `unavailable` without Redis.
   */
  begin(userName: string, network: string): Promise<Attempt>;
}

export interface AttemptLimitsOptions {
  readonly redis: RedisClient;
  readonly secrets: Pick<RegistrationSecrets, 'digest'>;
  readonly clock: Clock;
}

/** Attempts in Redis, in sliding windows under keyed digests of network and user name. */
export function createAttemptLimits(options: AttemptLimitsOptions): AttemptLimits {
  const { redis, secrets, clock } = options;
  const count = async (key: string, { max, windowMs }: Limit, member: string): Promise<void> => {
    const now = clock.wallMs();
    const reply = redis.eval(COUNT_CALL, 1, key, now, max, windowMs, member);
    const waitMs = Number(await answered(reply));
    if (waitMs > 0) throw tooMany(waitMs);
  };
  return {
    begin: async (userName, network) => {
      const member = uniqueMember();
      const networkKey = `network:${secrets.digest('network', network)}:passwords`;
      const userKey = `user-name:${secrets.digest('userName', userName)}:passwords`;
      await count(networkKey, PASSWORD_LIMITS.perNetwork, member);
      await count(userKey, PASSWORD_LIMITS.perUserName, member);
      return {
        takeBack: async () => {
          await answered(
            Promise.all([redis.zrem(networkKey, member), redis.zrem(userKey, member)]),
          );
        },
      };
    },
  };
}

function tooMany(waitMs: number): ApiError {
  return new ApiError(
    'too_many_requests',
    'Too many wrong passwords from this network or for this user name; wait as Retry-After says.',
    { retryAfterSeconds: waitMs / 1000 },
  );
}

async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    const message = 'Passwords cannot be checked at the moment; retry once later.';
    throw new ApiError('unavailable', message, {}, { cause: error });
  }
}

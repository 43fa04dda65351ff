import { ApiError, type Clock, orUnavailable, type RedisClient } from '@vcds/service-kit';
import type { Limit } from '../registration/limits.ts';
import { uniqueMember } from '../registration/redis-keys.ts';
import { PROLOGUE } from '../registration/scripts.ts';
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

/** Within this time a password was compared, or its process is no more and it counts as wrong. */
const PENDING_MS_MAX = 30_000;
/** When to come back while the room is taken by passwords that are being compared. */
const PENDING_RETRY_MS = 5_000;
/** Begins the members that are not known to be wrong; no other member has it. */
const PENDING = '?';

/**
 * Counts an attempt as one being compared. A window that is full of wrong ones has room when the
 * oldest is over; where some are still being compared it may have room in a moment.
 * KEYS window · ARGV now, max, window, member · Returns how long to wait, 0 if it was counted.
 */
const BEGIN = `${PROLOGUE}
local now, max, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local wait = wait_for(KEYS[1], now, max, window)
if wait == 0 then
  count(KEYS[1], now, ARGV[4], window)
  return 0
end
local left = redis.call('ZCARD', KEYS[1])
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], now - ${PENDING_MS_MAX}, '+inf')) do
  if string.sub(member, 1, 1) == '${PENDING}' then left = left - 1 end
end
return left < max and math.min(wait, ${PENDING_RETRY_MS}) or wait`;

/**
 * Ends an attempt, if it is still counted. Wrong: it stays, at its time.
 * KEYS window · ARGV member, the member it becomes or nothing
 */
const END = `
local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not at then return end
redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then redis.call('ZADD', KEYS[1], at, ARGV[2]) end`;

/** One attempt, counted. To be ended by one of the two, neither of which rejects. */
export interface Attempt {
  /** The password was wrong: the attempt counts for the hour. */
  keep(): Promise<void>;
  /** It was right, or was never compared. What cannot be taken back counts for the hour. */
  takeBack(): Promise<void>;
}

/** Counts attempts at passwords before they are looked at. */
export interface AttemptLimits {
  /**
   * Counts an attempt against the network and the user name, whether there is such a user or not.
   * Each count is one atomic script: of any number at once, no more than the bound get through.
   *
   * @throws ApiError `too_many_requests` with the time to wait, seconds while others are being
   *   compared; `unavailable` without Redis. Nothing is counted then.
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
  const begin = async (key: string, { max, windowMs }: Limit, member: string): Promise<void> => {
    const reply = redis.eval(BEGIN, 1, key, clock.wallMs(), max, windowMs, member);
    const waitMs = Number(await answered(reply));
    if (waitMs > 0) throw tooMany(waitMs);
  };
  return {
    begin: async (userName, network) => {
      const name = uniqueMember();
      const pending = `${PENDING}${name}`;
      const networkKey = `network:${secrets.digest('network', network)}:passwords`;
      const userKey = `user-name:${secrets.digest('userName', userName)}:passwords`;
      const end = async (becomes: string): Promise<void> => {
        const keys = [networkKey, userKey];
        await Promise.allSettled(keys.map((key) => redis.eval(END, 1, key, pending, becomes)));
      };
      const attempt = { keep: () => end(name), takeBack: () => end('') };
      try {
        await begin(networkKey, PASSWORD_LIMITS.perNetwork, pending);
        await begin(userKey, PASSWORD_LIMITS.perUserName, pending);
      } catch (refusal) {
        await attempt.takeBack();
        throw refusal;
      }
      return attempt;
    },
  };
}

function tooMany(waitMs: number): ApiError {
  return new ApiError(
    'too_many_requests',
    'Too many passwords from this network or for this user name; wait as Retry-After says.',
    { retryAfterSeconds: waitMs / 1000 },
  );
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'Passwords cannot be checked at the moment; retry once later.');
}

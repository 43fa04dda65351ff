/** The runs of the sandbox: each key is at a step of its own (docs/spec/sandbox.md 29.3). */
import type { RedisClient } from '@vcds/metering/redis';
import { ApiError, orUnavailable } from '@vcds/service-kit';

const KEPT_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
/** New runs in an hour, of one network and of all. */
const OF_NETWORK_MAX = 200;
const OF_ALL_MAX = 5_000;

export type Runs = ReturnType<typeof openRuns>;

/** Stores the steps of runs in Redis, for a day after the last change. */
export function openRuns(redis: RedisClient) {
  const nameOf = (keyId: string): string => `sandbox:run:${keyId}`;
  const count = async (name: string, max: number): Promise<void> => {
    const key = `sandbox:new:${name}`;
    const runs = await redis.incr(key);
    if (runs === 1) await redis.expire(key, HOUR_SECONDS);
    if (runs <= max) return;
    const message = 'Too many keys have begun a day of the sandbox. Use one again after a reset.';
    throw new ApiError('too_many_requests', message, { retryAfterSeconds: HOUR_SECONDS });
  };
  return {
    /** @throws ApiError `unavailable`. */
    stepOf: async (keyId: string): Promise<number> =>
      Number((await orUnavailable(redis.get(nameOf(keyId)))) ?? 0),
    /**
     * Moves a run to a step. Step 0 deletes it.
     *
     * @throws ApiError `too_many_requests` for a new one beyond the bounds, `unavailable`.
     */
    move: async (keyId: string, accountId: string, step: number): Promise<void> => {
      const name = nameOf(keyId);
      if (step === 0) {
        await orUnavailable(redis.del(name));
        return;
      }
      if ((await orUnavailable(redis.exists(name))) === 0) {
        await orUnavailable(count(accountId, OF_NETWORK_MAX));
        await orUnavailable(count('all', OF_ALL_MAX));
      }
      await orUnavailable(redis.set(name, String(step), 'EX', KEPT_SECONDS));
    },
  };
}

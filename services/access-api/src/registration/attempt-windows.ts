import { defineScript } from '@vcds/metering/redis';
import type { Clock, RedisClient } from '@vcds/service-kit';
import { type Limit, NETWORK_LIMITS } from './limits.ts';
import { networksOf } from './network.ts';
import { uniqueMember } from './redis-keys.ts';
import { PROLOGUE } from './scripts.ts';
import type { RegistrationSecrets } from './secrets.ts';

/** Within this time an attempt was evaluated, or its process is no more and it counts as wrong. */
const PENDING_MS_MAX = 30_000;
/** When to come back while the room is taken by attempts that are being evaluated. */
const PENDING_RETRY_MS = 5_000;
/** Begins the members that are not known to be wrong; no other member has it. */
const PENDING = '?';

/**
 * Counts an attempt as one being evaluated. A window that is full of wrong ones has room when the
 * oldest is over; where some are still being evaluated it may have room in a moment.
 * KEYS window · ARGV now, max, window, member
 * Returns how long to wait, 0 if it was counted, and 1 if that is only for those being evaluated.
 */
const BEGIN = defineScript(`${PROLOGUE}
local now, max, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local wait = wait_for(KEYS[1], now, max, window)
if wait == 0 then
  count(KEYS[1], now, ARGV[4], window)
  return {0, 0}
end
local left = redis.call('ZCARD', KEYS[1])
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], now - ${PENDING_MS_MAX}, '+inf')) do
  if string.sub(member, 1, 1) == '${PENDING}' then left = left - 1 end
end
if left < max then return {math.min(wait, ${PENDING_RETRY_MS}), 1} end
return {wait, 0}`);

/**
 * Ends an attempt, if it is still counted. Wrong: it stays, at its time.
 * KEYS window · ARGV member, the member it becomes or nothing
 */
const END = defineScript(`
local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not at then return end
redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then redis.call('ZADD', KEYS[1], at, ARGV[2]) end`);

/** A sorted set of the attempts within a stretch of time, and how many it holds at most. */
export interface Window {
  readonly key: string;
  readonly limit: Limit;
}

/** An attempt, counted. To be ended by one of the two, neither of which rejects. */
export interface Attempt {
  /** It was wrong: it counts until its window is over. */
  keep(): Promise<void>;
  /** It was right, or was never evaluated. What cannot be taken back counts as wrong. */
  takeBack(): Promise<void>;
}

export type Begun =
  | { readonly attempt: Attempt }
  /** `isBusy`: the room is taken by attempts being evaluated, and may be free in a moment. */
  | { readonly waitMs: number; readonly isBusy: boolean };

/**
 * Counts attempts before they are evaluated: of any number at once, no more than the bound of a
 * window get through. Each count is one atomic script.
 */
export interface AttemptWindows {
  /**
   * Counts an attempt in every window, or in none.
   *
   * @throws Error when Redis cannot be asked.
   */
  begin(windows: readonly Window[]): Promise<Begun>;
}

export function createAttemptWindows(redis: RedisClient, clock: Clock): AttemptWindows {
  return {
    begin: async (windows) => {
      const name = uniqueMember();
      const pending = `${PENDING}${name}`;
      const end = async (becomes: string): Promise<void> => {
        const ends = windows.map(({ key }) => END(redis, [key], [pending, becomes]));
        await Promise.allSettled(ends);
      };
      const attempt = { keep: () => end(name), takeBack: () => end('') };
      try {
        for (const { key, limit } of windows) {
          const args = [clock.wallMs(), limit.max, limit.windowMs, pending];
          const reply = await BEGIN(redis, [key], args);
          const [waitMs, isBusy] = reply as [number, number];
          if (waitMs === 0) continue;
          await attempt.takeBack();
          return { waitMs, isBusy: isBusy === 1 };
        }
      } catch (error) {
        await attempt.takeBack();
        throw error;
      }
      return { attempt };
    },
  };
}

/**
 * The windows in which something is counted for the networks of a client: its own, and the site
 * around it if it has one. The keys hold keyed digests.
 */
export function networkWindows(
  secrets: Pick<RegistrationSecrets, 'digest'>,
  client: string | undefined,
  counted: 'registered' | 'codes' | 'passwords',
): Window[] {
  const { network, site } = networksOf(client);
  const key = (name: string): string => `network:${secrets.digest('network', name)}:${counted}`;
  const own = { key: key(network), limit: NETWORK_LIMITS.perNetwork };
  return site === undefined ? [own] : [own, { key: key(site), limit: NETWORK_LIMITS.perSite }];
}

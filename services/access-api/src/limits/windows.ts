import { randomBytes } from 'node:crypto';
import { defineScript } from '@vcds/metering/redis';
import { type Clock, networksOf, type RedisClient } from '@vcds/service-kit';

export const HOUR_MS = 3_600_000;

/** At most `max` within any period of this length (a sliding window). */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

/**
 * Limits of registrations, wrong codes and wrong passwords, each counted separately: for an IPv4
 * address or an IPv6 /64, and for an IPv6 /48 in total.
 */
export const NETWORK_LIMITS = Object.freeze({
  perNetwork: Object.freeze({ max: 20, windowMs: HOUR_MS }),
  perSite: Object.freeze({ max: 60, windowMs: HOUR_MS }),
} satisfies Record<string, Limit>);

/** Sliding windows for Lua scripts. Times are milliseconds of the caller's clock. */
export const WINDOWS = `
-- The time in milliseconds until a window has room; 0: it has room.
local function wait_for(key, now, max, window)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  if redis.call('ZCARD', key) < max then return 0 end
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  return tonumber(oldest[2]) + window - now
end

local function count(key, now, member, window)
  redis.call('ZADD', key, now, member)
  redis.call('PEXPIRE', key, window)
end`;

/**
 * Counts a call against a window.
 * KEYS window · ARGV now, max, window, member · Returns the time to wait, 0 if it was counted.
 */
export const COUNT_CALL = defineScript(`${WINDOWS}
local now = tonumber(ARGV[1])
local wait = wait_for(KEYS[1], now, tonumber(ARGV[2]), tonumber(ARGV[3]))
if wait == 0 then count(KEYS[1], now, ARGV[4], tonumber(ARGV[3])) end
return wait`);

/** A unique member of a sorted set. */
export function uniqueMember(): string {
  return randomBytes(12).toString('base64url');
}

/** An attempt that is not evaluated within this time counts as wrong: its process has exited. */
const PENDING_MS_MAX = 30_000;
/** The time to wait while attempts that are being evaluated fill the window. */
const PENDING_RETRY_MS = 5_000;
/** The prefix of members that are being evaluated. */
const PENDING = '?';

/**
 * Counts an attempt as being evaluated. A window full of wrong attempts has room when the oldest
 * expires; with some being evaluated, it may have room sooner.
 * KEYS window · ARGV now, max, window, member
 * Returns the time to wait, 0 if it was counted, and 1 if only attempts being evaluated fill it.
 */
const BEGIN = defineScript(`${WINDOWS}
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
 * Ends an attempt if it is still counted. A wrong one keeps its time.
 * KEYS window · ARGV member, the member it becomes or nothing
 */
const END = defineScript(`
local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not at then return end
redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then redis.call('ZADD', KEYS[1], at, ARGV[2]) end`);

/** A sorted set of attempts, and their limit. */
interface Window {
  readonly key: string;
  readonly limit: Limit;
}

/** A counted attempt. Call one of the methods to end it; they do not reject. */
export interface Attempt {
  /** The attempt was wrong: it counts until its window ends. */
  keep(): Promise<void>;
  /** The attempt was right or not evaluated. If Redis is unavailable it counts as wrong. */
  takeBack(): Promise<void>;
}

export type Begun =
  | { readonly attempt: Attempt }
  /** `isBusy`: attempts being evaluated fill the window, so that it may have room soon. */
  | { readonly waitMs: number; readonly isBusy: boolean };

/**
 * Counts an attempt in every window, or in none, before it is evaluated, so that concurrent attempts
 * cannot exceed a limit. Each count is one atomic script.
 *
 * @throws Error if Redis is unavailable.
 */
export async function beginAttempt(
  redis: RedisClient,
  clock: Clock,
  windows: readonly Window[],
): Promise<Begun> {
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
}

/** Keyed digests of networks. */
interface NetworkDigests {
  digest(purpose: 'network', name: string): string;
}

/**
 * The windows of a client's network and, for IPv6, its site. The names of the keys contain keyed
 * digests.
 */
export function networkWindows(
  digests: NetworkDigests,
  client: string | undefined,
  counted: 'registered' | 'codes' | 'passwords' | 'clients',
): Window[] {
  const { network, site } = networksOf(client);
  const key = (name: string): string => `network:${digests.digest('network', name)}:${counted}`;
  const own = { key: key(network), limit: NETWORK_LIMITS.perNetwork };
  return site === undefined ? [own] : [own, { key: key(site), limit: NETWORK_LIMITS.perSite }];
}

import { randomUUID } from 'node:crypto';
import { defineScript } from '@vcds/metering/redis';
import type { Clock, RedisClient } from '@vcds/service-kit';
import { LEASES_KEY, paceKey } from './redis-keys.ts';
import { orUnavailable } from './site-error.ts';

/**
 * Takes a lease, unless all or too many of the account are taken.
 * KEYS leases · ARGV now, when it expires, account, id, most of the account, most in all
 * Returns 'taken', 'account_limit' or 'limit'.
 */
const TAKE_LEASE = defineScript(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
local members = redis.call('ZRANGE', KEYS[1], 0, -1)
local own = ARGV[3] .. ' '
local count = 0
for _, member in ipairs(members) do
  if string.sub(member, 1, #own) == own then count = count + 1 end
end
if count >= tonumber(ARGV[5]) then return 'account_limit' end
if #members >= tonumber(ARGV[6]) then return 'limit' end
redis.call('ZADD', KEYS[1], ARGV[2], own .. ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[2] - ARGV[1])
return 'taken'`);

/**
 * Reserves the next time at which a request may be sent to a host. A time further ahead than any
 * reservation can be is of a clock that was set back: it counts as now.
 * KEYS pace · ARGV now, delay, longest wait, longest delay
 * Returns {1, time to wait} or, if that is longer than the longest wait, {0, time to wait}.
 */
const RESERVE = defineScript(`
local now, delay, longest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
if at - now > longest + tonumber(ARGV[4]) then at = now end
if at - now > longest then return {0, at - now} end
redis.call('SET', KEYS[1], string.format('%.0f', at + delay), 'PX', string.format('%.0f', at - now + delay))
return {1, at - now}`);

/** The limits of reads over all processes. */
export interface TrafficLimits {
  /** Reads of one account at a time. */
  readonly perAccountMax: number;
  /** Reads of all accounts at a time. */
  readonly inAllMax: number;
  /** After this a lease expires whose process has exited. */
  readonly leaseMs: number;
  /** The least pause between two requests to a host. */
  readonly pauseMs: number;
  /** The longest pause that a site may ask for with Crawl-delay. */
  readonly pauseMsMax: number;
  /** The longest wait for a host's next turn. */
  readonly waitMsMax: number;
}

export const TRAFFIC_LIMITS: TrafficLimits = Object.freeze({
  perAccountMax: 5,
  inAllMax: 50,
  leaseMs: 15_000,
  pauseMs: 1_000,
  pauseMsMax: 5_000,
  waitMsMax: 5_000,
});

export type Lease = { readonly release: () => Promise<void> } | 'account_limit' | 'limit';

/** The reservation of a request to a host: how long to wait for it, if it was granted. */
export interface Turn {
  readonly isGranted: boolean;
  readonly waitMs: number;
}

/** Limits concurrent reads and requests to one host, over all processes, in Redis. */
export class Traffic {
  readonly #redis: RedisClient;
  readonly #clock: Clock;
  readonly #limits: TrafficLimits;

  constructor(redis: RedisClient, clock: Clock, limits: TrafficLimits) {
    this.#redis = redis;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** @throws SiteError unavailable. */
  async takeLease(accountId: string): Promise<Lease> {
    const { leaseMs, perAccountMax, inAllMax } = this.#limits;
    const now = this.#clock.wallMs();
    const id = randomUUID();
    const args = [now, now + leaseMs, accountId, id, perAccountMax, inAllMax];
    const outcome = await orUnavailable(TAKE_LEASE(this.#redis, [LEASES_KEY], args));
    if (outcome !== 'taken') return outcome as 'account_limit' | 'limit';
    const release = async (): Promise<void> => {
      await this.#redis.zrem(LEASES_KEY, `${accountId} ${id}`).catch(() => undefined);
    };
    return { release };
  }

  /**
   * @param crawlDelayMs the pause that the site asks for; 0 for none.
   * @throws SiteError unavailable.
   */
  async reserve(host: string, crawlDelayMs: number): Promise<Turn> {
    const { pauseMs, pauseMsMax, waitMsMax } = this.#limits;
    const delayMs = Math.ceil(Math.min(Math.max(crawlDelayMs, pauseMs), pauseMsMax));
    const args = [this.#clock.wallMs(), delayMs, waitMsMax, pauseMsMax];
    const reply = await orUnavailable(RESERVE(this.#redis, [paceKey(host)], args));
    const [granted, waitMs] = reply as number[];
    return { isGranted: granted === 1, waitMs: waitMs ?? 0 };
  }
}

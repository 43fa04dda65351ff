import type { Principal } from '@vcds/credentials';
import { LeakyCounter } from './leaky-counter.ts';

/** The bounds of one account's use of the database. */
export interface ShareLimits {
  /** Milliseconds that a call waits for calls of its own account before it is rejected. */
  readonly ownWaitMsMax: number;
  /** Milliseconds that it waits longer if only a connection is missing. */
  readonly connectionWaitMsMax: number;
  /** Waiting calls of one account. */
  readonly waitingMax: number;
  /** Milliseconds of database time that calls of one account may take without being charged. */
  readonly unpaidMsMax: number;
  /** Milliseconds by which the unpaid time drains each second. */
  readonly unpaidDrainMsPerSecond: number;
  /** The longest time in seconds for which unpaid database time blocks an account. */
  readonly blockedSecondsMax: number;
  /** Read time in milliseconds beyond half its slots after which an account gets half of them. */
  readonly busyMsMax: number;
  /** Read time in milliseconds that the free plan allows beyond its steady share. */
  readonly freeBurstMsMax: number;
  /** Its steady share: read time in milliseconds per second, while other accounts call. */
  readonly freeMsPerSecond: number;
  /** Milliseconds after its last call for which another account counts as active. */
  readonly otherActiveMs: number;
}

export const SHARE_LIMITS: ShareLimits = Object.freeze({
  ownWaitMsMax: 2_000,
  connectionWaitMsMax: 3_000,
  waitingMax: 200,
  unpaidMsMax: 5_000,
  unpaidDrainMsPerSecond: 100,
  blockedSecondsMax: 60,
  busyMsMax: 2_000,
  freeBurstMsMax: 1_000,
  freeMsPerSecond: 100,
  otherActiveMs: 1_000,
});

/** The account of a call; its plan determines the share. */
export type Caller = Pick<Principal, 'accountId' | 'plan'>;

/** The share of the database that an account of this plan may use permanently. */
export interface SteadyShare {
  readonly plan: Caller['plan'];
  /** Read time beyond the share: half the slots, or a fraction of one on the free plan. */
  readonly busy: LeakyCounter;
  readonly busyMsMax: number;
  /** Concurrent calls once the account is busy and other accounts call. */
  readonly slotsWhenBusy: number;
  readonly drainedMsPerSecond: number;
}

/** The unused share of an account of this plan. */
export function steadyShare(
  plan: Caller['plan'],
  limits: ShareLimits,
  slotsPerAccount: number,
): SteadyShare {
  const { busyMsMax, freeBurstMsMax, freeMsPerSecond, blockedSecondsMax } = limits;
  if (plan !== 'free') {
    const drainedMsPerSecond = (slotsPerAccount / 2) * 1000;
    const busy = new LeakyCounter(drainedMsPerSecond, 2 * busyMsMax);
    return {
      plan,
      busy,
      busyMsMax,
      drainedMsPerSecond,
      slotsWhenBusy: Math.ceil(slotsPerAccount / 2),
    };
  }
  const busyMsCap = freeBurstMsMax + blockedSecondsMax * freeMsPerSecond;
  return {
    plan,
    busy: new LeakyCounter(freeMsPerSecond, busyMsCap),
    busyMsMax: freeBurstMsMax,
    drainedMsPerSecond: freeMsPerSecond,
    slotsWhenBusy: 0,
  };
}

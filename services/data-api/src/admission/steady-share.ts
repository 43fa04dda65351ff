import type { Principal } from '@vcds/credentials';
import { LeakyCounter } from './leaky-counter.ts';

/** How much of the database one account may take. */
export interface ShareLimits {
  /** Milliseconds a call waits for calls of its own account before it is refused. */
  readonly ownWaitMsMax: number;
  /** Milliseconds it waits longer where only a connection is missing. */
  readonly connectionWaitMsMax: number;
  /** Calls of one account that wait. */
  readonly waitingMax: number;
  /** Milliseconds of database time that calls of one account may take without being charged. */
  readonly unpaidMsMax: number;
  /** Milliseconds of it that are forgiven each second. */
  readonly forgivenMsPerSecond: number;
  /** The longest an account is refused for unpaid database time, in seconds. */
  readonly refusedSecondsMax: number;
  /** Milliseconds of reading beyond half its slots after which an account has half of them. */
  readonly busyMsMax: number;
  /** Milliseconds of reading that an account on the free plan may take beyond its steady share. */
  readonly freeBurstMsMax: number;
  /** Its steady share: milliseconds of reading each second, while other accounts call. */
  readonly freeMsPerSecond: number;
  /** Milliseconds for which a call of another account counts as company. */
  readonly companyMs: number;
}

export const SHARE_LIMITS: ShareLimits = Object.freeze({
  ownWaitMsMax: 2_000,
  connectionWaitMsMax: 3_000,
  waitingMax: 200,
  unpaidMsMax: 5_000,
  forgivenMsPerSecond: 100,
  refusedSecondsMax: 60,
  busyMsMax: 2_000,
  freeBurstMsMax: 1_000,
  freeMsPerSecond: 100,
  companyMs: 1_000,
});

/** Whose call it is; the plan decides the account's share. */
export type Caller = Pick<Principal, 'accountId' | 'plan'>;

/** What an account may read all the time, by its plan. */
export interface SteadyShare {
  readonly plan: Caller['plan'];
  /** Time of reads beyond the share: half the slots, or a part of one on the free plan. */
  readonly busy: LeakyCounter;
  readonly busyMsMax: number;
  /** Calls that read at a time once it is busy and other accounts call. */
  readonly slotsWhenBusy: number;
  readonly drainedMsPerSecond: number;
}

/** The share of an account of this plan, nothing of it used. */
export function steadyShare(
  plan: Caller['plan'],
  limits: ShareLimits,
  slotsPerAccount: number,
): SteadyShare {
  const { busyMsMax, freeBurstMsMax, freeMsPerSecond, refusedSecondsMax } = limits;
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
  const busyMsMost = freeBurstMsMax + refusedSecondsMax * freeMsPerSecond;
  return {
    plan,
    busy: new LeakyCounter(freeMsPerSecond, busyMsMost),
    busyMsMax: freeBurstMsMax,
    drainedMsPerSecond: freeMsPerSecond,
    slotsWhenBusy: 0,
  };
}

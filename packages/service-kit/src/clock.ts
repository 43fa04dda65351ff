/** Time, injected so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch: for dates that are stored or sent. */
  wallMs(): number;
  /** Milliseconds that never decrease: for ages and timeouts. */
  monotonicMs(): number;
}

export const systemClock: Clock = Object.freeze({
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
});

/** Seconds since a time of another host's clock, for metrics; 0 if that clock is ahead. */
export function secondsSince(wallMs: number, clock: Clock): number {
  return Math.max(0, clock.wallMs() - wallMs) / 1_000;
}

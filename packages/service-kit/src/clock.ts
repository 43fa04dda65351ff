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

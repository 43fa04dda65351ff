/** Time, injected so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch: for dates that others see. */
  wallMs(): number;
  /** Milliseconds that only ever rise: for ages and time-outs. */
  monotonicMs(): number;
}

export const systemClock: Clock = Object.freeze({
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
});

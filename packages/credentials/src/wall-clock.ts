/** The time of day, injected so that tests can set it. */
export interface WallClock {
  /** Milliseconds since the epoch. */
  wallMs(): number;
}

export const systemClock: WallClock = Object.freeze({ wallMs: () => Date.now() });

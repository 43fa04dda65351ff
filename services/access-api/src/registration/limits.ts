const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** So many within any stretch of this length: a sliding window, not one that starts on the hour. */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

/** The bounds of registration (spec §8.4, decisions §7). */
export const LIMITS = Object.freeze({
  /** A code, and the link beside it, live this long. */
  codeMs: 10 * MINUTE_MS,
  /** After this long nothing is known of a registration any more. */
  registrationMs: 24 * HOUR_MS,
  attemptsMax: 5,
  perAddress: Object.freeze({ max: 3, windowMs: HOUR_MS }),
  perNetwork: Object.freeze({ max: 20, windowMs: HOUR_MS }),
  /** Wrong codes for an address, over all its registrations. */
  wrongCodes: Object.freeze({ max: 20, windowMs: 24 * HOUR_MS }),
  /** A key from a registration lives this long. */
  keySeconds: 30 * 24 * 60 * 60,
});

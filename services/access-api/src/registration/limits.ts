const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** So many within any stretch of this length: a sliding window, not one that starts on the hour. */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

/**
 * Registrations, wrong codes and wrong passwords, each by itself: of an IPv4 address or an IPv6
 * /64, and of an IPv6 /48 as a whole.
 */
export const NETWORK_LIMITS = Object.freeze({
  perNetwork: Object.freeze({ max: 20, windowMs: HOUR_MS }),
  perSite: Object.freeze({ max: 60, windowMs: HOUR_MS }),
} satisfies Record<string, Limit>);

/** The bounds of registration (docs/spec/registration.md 3.7). */
export const LIMITS = Object.freeze({
  /** A code, and the link beside it, live this long. */
  codeMs: 10 * MINUTE_MS,
  /** After this long nothing is known of a registration any more. */
  registrationMs: 24 * HOUR_MS,
  attemptsMax: 5,
  perAddress: Object.freeze({ max: 3, windowMs: HOUR_MS }),
  /** All addresses that reach one mailbox, `+tag` and dots aside, together. */
  perMailbox: Object.freeze({ max: 6, windowMs: HOUR_MS }),
  /** Wrong codes for an address, over all its registrations. */
  wrongCodes: Object.freeze({ max: 20, windowMs: 24 * HOUR_MS }),
  /** A key from a registration lives this long. */
  keySeconds: 30 * 24 * 60 * 60,
});

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

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

/** The bounds of registration (docs/spec/registration.md 3.7). */
export const LIMITS = Object.freeze({
  /** Lifetime of a code and its link. */
  codeMs: 10 * MINUTE_MS,
  /** After this time the registration is deleted. */
  registrationMs: 24 * HOUR_MS,
  attemptsMax: 5,
  perAddress: Object.freeze({ max: 3, windowMs: HOUR_MS }),
  /** For all addresses of one mailbox together, by the rules of its host. */
  perMailbox: Object.freeze({ max: 6, windowMs: HOUR_MS }),
  /** For all addresses of a registrable domain, whose mailboxes may be one. */
  perDomain: Object.freeze({ max: 30, windowMs: HOUR_MS }),
  /** Wrong codes for all registrations of an address. */
  wrongCodes: Object.freeze({ max: 20, windowMs: 24 * HOUR_MS }),
  /** The guidance for clients that wait for a person to open the link. */
  pollSecondsMin: 15,
  /** Lifetime of a key from a registration. */
  keySeconds: 30 * 24 * 60 * 60,
});

/** Lifetime of a code and its link, for texts. */
export const CODE_MINUTES = LIMITS.codeMs / MINUTE_MS;

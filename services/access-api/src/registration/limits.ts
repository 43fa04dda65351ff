import { HOUR_MS } from '../limits/windows.ts';

const MINUTE_MS = HOUR_MS / 60;

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

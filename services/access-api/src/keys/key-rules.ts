import { CREDIT_LIMIT_MAX, isCreditLimit, SCOPES, type Scope } from '@vcds/credentials';
import type { IssuedKey } from '../accounts/key.ts';

/** Limits of the keys that an owner may create on the account page. */
export const ACCOUNT_KEY_LIMITS = Object.freeze({
  /** Active keys of an account, of any origin. */
  liveMax: 20,
  /** Keys created on the account page within 24 hours, so that creating and revoking is bounded. */
  perDayMax: 50,
  /** Characters of a key's name. */
  nameLengthMax: 60,
});

export type Creation =
  | { readonly status: 'created'; readonly key: IssuedKey }
  | { readonly status: 'too_many_live' | 'too_many_today' | 'signed_out' };

/**
 * The scopes of a key after narrowing it from `held` to `chosen`, in the order of the scope table;
 * undefined if `chosen` is empty or contains a scope that the key lacks: a key never gains scopes.
 *
 * @param held null: everything the plan allows. So is the result if all scopes are chosen.
 */
export function narrowed(
  held: readonly Scope[] | null,
  chosen: ReadonlySet<Scope>,
): readonly Scope[] | null | undefined {
  const scopes = held ?? SCOPES;
  if (chosen.size === 0 || [...chosen].some((scope) => !scopes.includes(scope))) return undefined;
  return held === null && chosen.size === SCOPES.length
    ? null
    : SCOPES.filter((scope) => chosen.has(scope));
}

/**
 * Parses the name of a key: Unicode's composed form, with single spaces; undefined if empty. At
 * most 60 characters, without control and formatting characters, which could make two names look
 * alike.
 */
export function readKeyName(
  text: string,
): { readonly name: string | undefined } | { readonly fault: string } {
  const name = text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (name === '') return { name: undefined };
  const { nameLengthMax } = ACCOUNT_KEY_LIMITS;
  if ([...name].length > nameLengthMax) {
    return { fault: `A name has at most ${nameLengthMax} characters.` };
  }
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(name)) {
    return { fault: 'The name contains an invisible character; type it again.' };
  }
  return { name };
}

/** Parses the monthly limit of a key, in digits only; undefined if empty: none. */
export function readCreditLimit(
  text: string,
): { readonly creditLimit: number | undefined } | { readonly fault: string } {
  const digits = text.trim();
  if (digits === '') return { creditLimit: undefined };
  const creditLimit = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
  if (isCreditLimit(creditLimit)) return { creditLimit };
  return { fault: `A limit is a whole number from 1 to ${CREDIT_LIMIT_MAX}, in digits only.` };
}

/** The message for a key that was not created. */
export function creationError(status: Exclude<Creation['status'], 'created'>): string {
  const { liveMax, perDayMax } = ACCOUNT_KEY_LIMITS;
  return {
    too_many_live:
      `This account has ${liveMax} active keys, the maximum. ` +
      'Revoke one you no longer need, then create another.',
    signed_out: 'You have been signed out. Sign in again and check your keys.',
    too_many_today:
      `This account has created ${perDayMax} keys within a day, the maximum. ` +
      'Try again tomorrow.',
  }[status];
}

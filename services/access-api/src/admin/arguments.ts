import {
  API_KEY_PREFIX,
  isPlanId,
  isScope,
  PLAN_IDS,
  type PlanId,
  SCOPES,
  type Scope,
} from '@vcds/credentials';
import { nearest } from '@vcds/service-kit';
import { InvalidArgumentError } from 'commander';
import { type EmailAddress, parseEmailAddress } from '../registration/email-address.ts';

/** Characters of a password: long enough to resist guessing, short enough to hash quickly. */
const PASSWORD_LENGTH = Object.freeze({ min: 12, max: 1_024 });

/** Invalid input that only a running command finds; exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws InvalidArgumentError unless the text is a plan. */
export function readPlan(text: string): PlanId {
  if (isPlanId(text)) return text;
  throw new InvalidArgumentError(`Plans are ${PLAN_IDS.join(', ')}.`);
}

/** The canonical form of an address. @throws InvalidArgumentError unless it is one. */
export function readEmail(text: string): EmailAddress {
  const email = parseEmailAddress(text);
  if (email === undefined) throw new InvalidArgumentError('It is not an email address.');
  return email;
}

/** Comma separated scopes, at least one. @throws InvalidArgumentError */
export function readScopes(text: string): readonly Scope[] {
  return text.split(',').map((part) => {
    const scope = part.trim();
    if (isScope(scope)) return scope;
    const suggestion = nearest(scope, SCOPES);
    throw new InvalidArgumentError(
      suggestion === undefined
        ? `Scopes are ${SCOPES.join(', ')}.`
        : `Unknown scope '${scope}'; did you mean ${suggestion}?`,
    );
  });
}

/** Parses a whole number, in digits only, from `min` to `max`. @throws InvalidArgumentError */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** An id in lower case. @throws InvalidArgumentError */
export function readUuid(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It is not an id.');
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Text of 1 to 100 visible ASCII characters. @throws InvalidArgumentError */
export function readOperationId(text: string): string {
  if (/^[!-~]{1,100}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 100 visible ASCII characters.');
}

/** A user name, in lower case. @throws InvalidArgumentError */
export function readUserName(text: string): string {
  if (!/^[!-9;-~]{1,254}$/.test(text)) {
    throw new InvalidArgumentError('It must be 1 to 254 visible ASCII characters without a colon.');
  }
  if (text.startsWith(API_KEY_PREFIX)) {
    throw new InvalidArgumentError(`It must not begin like a key, with ${API_KEY_PREFIX}.`);
  }
  return text.toLowerCase();
}

/** The password on standard input, without its line end. @throws UsageError */
export function readPassword(input: string): string {
  const password = input.replace(/\r?\n$/, '').normalize('NFC');
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max) {
    throw new UsageError(
      `Standard input must contain a password of ${PASSWORD_LENGTH.min} to ` +
        `${PASSWORD_LENGTH.max} characters; or use --generate.`,
    );
  }
  if (/\p{Cc}/u.test(password)) throw new UsageError('A password must be one line.');
  return password;
}

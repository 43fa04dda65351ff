import { parseArgs } from 'node:util';
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
import { type EmailAddress, parseEmailAddress } from '../registration/email-address.ts';

/** Characters of a password: few enough to guess are refused, many enough to be slow too. */
export const PASSWORD_LENGTH = Object.freeze({ min: 12, max: 1_024 });

/** A command line that cannot be followed; the message says what would. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What stands on a command line after the command. */
export interface CommandLine {
  /** The n-th operand. @throws UsageError when it is not there. */
  operand(index: number, name: string): string;
  /** The value of `--name`, if given. */
  option(name: string): string | undefined;
  /** Whether `--name` stands there, for one that takes no value. */
  flag(name: string): boolean;
}

/** What a command takes: how many operands at most, options with a value, and flags without. */
export interface Takes {
  readonly operands: number;
  readonly options: readonly string[];
  readonly flags?: readonly string[];
}

/** @throws UsageError for an option the command does not have, or more operands than it takes. */
export function readCommandLine(words: readonly string[], takes: Takes): CommandLine {
  const { values, positionals }: Parsed = parse(words, takes);
  if (positionals.length > takes.operands) {
    throw new UsageError(`'${positionals[takes.operands]}' is one word too many.`);
  }
  return {
    operand: (index, name) => {
      const word = positionals[index];
      if (word === undefined || word === '') throw new UsageError(`The ${name} is missing.`);
      return word;
    },
    option: (name) => {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    },
    flag: (name) => values[name] === true,
  };
}

/** @throws UsageError unless the word is a plan. */
export function readPlan(word: string): PlanId {
  if (isPlanId(word)) return word;
  throw new UsageError(`There is no plan '${word}'; plans are ${PLAN_IDS.join(', ')}.`);
}

/** An address as accounts are known by it. @throws UsageError unless it is one. */
export function readEmail(word: string): EmailAddress {
  const email = parseEmailAddress(word);
  if (email === undefined) throw new UsageError(`'${word}' is not an e-mail address.`);
  return email;
}

/** @throws UsageError unless every comma separated word is a scope, and there is one. */
export function readScopes(words: string): readonly Scope[] {
  return words.split(',').map((word) => {
    const scope = word.trim();
    if (isScope(scope)) return scope;
    const meant = nearest(scope, SCOPES);
    const hint = meant === undefined ? `scopes are ${SCOPES.join(', ')}` : `did you mean ${meant}?`;
    throw new UsageError(`There is no scope '${scope}'; ${hint}.`);
  });
}

/** Whole days, 1 to 3,650, in seconds. @throws UsageError */
export function readDays(word: string): number {
  const days = Number(word);
  if (!Number.isInteger(days) || days < 1 || days > 3_650) {
    throw new UsageError('--expires-in-days takes a whole number from 1 to 3650.');
  }
  return days * 86_400;
}

/** A whole number in digits alone, from `min` to `max`. @throws UsageError naming what it is. */
export function readWhole(word: string, what: string, min: number, max: number): number {
  const number = /^\d+$/.test(word) ? Number(word) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`The ${what} must be a whole number from ${min} to ${max}.`);
}

/** A user name, in lower case. @throws UsageError */
export function readUserName(word: string): string {
  if (!/^[!-9;-~]{1,254}$/.test(word)) {
    throw new UsageError('A user name is up to 254 visible ASCII characters, without a colon.');
  }
  if (word.startsWith(API_KEY_PREFIX)) {
    throw new UsageError(`A user name must not begin like a key, with ${API_KEY_PREFIX}.`);
  }
  return word.toLowerCase();
}

/** The password on standard input, a line end after it aside. @throws UsageError */
export function readPassword(input: string): string {
  const password = input.replace(/\r?\n$/, '').normalize('NFC');
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max) {
    throw new UsageError(
      `Standard input must hold a password of ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} ` +
        'characters; or use --generate.',
    );
  }
  if (/\p{Cc}/u.test(password)) throw new UsageError('A password must be one line.');
  return password;
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function parse(words: readonly string[], { options, flags = [] }: Takes): Parsed {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: Object.fromEntries([
        ...options.map((name) => [name, { type: 'string' as const }]),
        ...flags.map((name) => [name, { type: 'boolean' as const }]),
      ]),
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Words of OData and SQL that are no part of this grammar, with what to say about them. */

import type { Operator } from '../operator.ts';

const ARITHMETIC = 'There is no arithmetic in a filter (add, sub, mul, div, divby, mod).';

const SENTENCE_BY_WORD: ReadonlyMap<string, string> = new Map([
  ['add', ARITHMETIC],
  ['sub', ARITHMETIC],
  ['mul', ARITHMETIC],
  ['div', ARITHMETIC],
  ['divby', ARITHMETIC],
  ['mod', ARITHMETIC],
  ['has', 'The operator has is not supported; eq on a many-valued field means "has".'],
  ['is', 'Write eq null or ne null.'],
  ['between', 'There is no between: write Field ge a and Field le b.'],
  ['contains', "There is no contains: write like with the text, such as Name like 'acme'."],
  ['startswith', "There is no startswith: write like with a %, such as Name like 'acme%'."],
  ['endswith', "There is no endswith: write like with a %, such as Name like '%acme'."],
  ['ilike', 'There is no ilike: like already ignores case and accents.'],
]);

/** What other languages call the operators there are. */
const OPERATOR_BY_WORD: ReadonlyMap<string, Operator> = new Map([
  ['equals', 'eq'],
  ['equal', 'eq'],
  ['neq', 'ne'],
  ['gte', 'ge'],
  ['lte', 'le'],
  ['matches', 'like'],
  ['nin', 'notin'],
  ['not_in', 'notin'],
]);

const ASCII_WORD = /^[A-Za-z]{2,10}$/;

/** A sentence about a word that other query languages know, in any case. */
export function sentenceAbout(word: string): string | undefined {
  return ASCII_WORD.test(word) ? SENTENCE_BY_WORD.get(word.toLowerCase()) : undefined;
}

/** The operator that another language's word means, in any case; undefined for no such word. */
export function operatorMeantBy(word: string): Operator | undefined {
  return OPERATOR_BY_WORD.get(word.toLowerCase());
}

/** A sentence about a call of `name(…)`; all functions are refused (decisions §3). */
export function sentenceAboutCall(name: string): string {
  const own = sentenceAbout(name);
  if (own !== undefined) return `Functions are not supported. ${own}`;
  return `Functions are not supported, so ${name}(…) cannot be used.`;
}

/** Where the pattern that says the same as a function of two arguments has its wildcards. */
const PATTERN_BY_FUNCTION: ReadonlyMap<string, (escaped: string) => string> = new Map([
  ['contains', (escaped: string) => `%${escaped}%`],
  ['startswith', (escaped: string) => `${escaped}%`],
  ['endswith', (escaped: string) => `%${escaped}`],
]);

/** The condition that says the same as `contains(Name,'x')` and its like; else undefined. */
export function likeInsteadOf(name: string, field: string, text: string): string | undefined {
  const pattern = PATTERN_BY_FUNCTION.get(name.toLowerCase());
  if (pattern === undefined) return undefined;
  const escaped = text.replace(/[\\%_]/g, '\\$&').replaceAll("'", "''");
  return `${field} like '${pattern(escaped)}'`;
}

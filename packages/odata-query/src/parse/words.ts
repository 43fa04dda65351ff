/** Words of OData and SQL that are no part of this grammar, with what to say about them. */

const ARITHMETIC = 'Arithmetic (add, sub, mul, div, divby, mod) is not supported.';

const SENTENCE_BY_WORD: ReadonlyMap<string, string> = new Map([
  ['add', ARITHMETIC],
  ['sub', ARITHMETIC],
  ['mul', ARITHMETIC],
  ['div', ARITHMETIC],
  ['divby', ARITHMETIC],
  ['mod', ARITHMETIC],
  ['has', 'has is not supported: eq on a field with several values means "has".'],
  ['is', 'is is not supported: write eq null or ne null.'],
  ['between', 'between is not supported: write Field ge a and Field le b.'],
  ['contains', "contains is not supported: write like with the text, e.g. Name like 'acme'."],
  ['startswith', "startswith is not supported: write like with a %, e.g. Name like 'acme%'."],
  ['endswith', "endswith is not supported: write like with a %, e.g. Name like '%acme'."],
  ['ilike', 'ilike is not supported: like already ignores case and accents.'],
]);

const ASCII_WORD = /^[A-Za-z]{2,10}$/;

/** A sentence about a word that other query languages know, in any case. */
export function sentenceAbout(word: string): string | undefined {
  return ASCII_WORD.test(word) ? SENTENCE_BY_WORD.get(word.toLowerCase()) : undefined;
}

/** A sentence about a call of `name(…)`; all functions are rejected. */
export function sentenceAboutCall(name: string): string {
  const own = sentenceAbout(name);
  if (own !== undefined) return `Functions are not supported. ${own}`;
  return `Functions such as ${name}(…) are not supported.`;
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

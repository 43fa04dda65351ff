import { codePointName, echo, suggestable } from '../echo.ts';
import type { Token } from '../lexer/token.ts';
import type { Operator } from '../operator.ts';
import type { Cursor } from './cursor.ts';

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

/** The operator or connective that other languages write with signs. */
const WORD_BY_SIGN: ReadonlyMap<string, string> = new Map([
  ['=', 'eq'],
  ['==', 'eq'],
  ['===', 'eq'],
  ['!=', 'ne'],
  ['!==', 'ne'],
  ['<>', 'ne'],
  ['>', 'gt'],
  ['>=', 'ge'],
  ['=>', 'ge'],
  ['<', 'lt'],
  ['<=', 'le'],
  ['=<', 'le'],
  ['&', 'and'],
  ['&&', 'and'],
  ['|', 'or'],
  ['||', 'or'],
  ['!', 'not'],
]);

const SENTENCE_BY_CHARACTER: ReadonlyMap<string, string> = new Map([
  ['"', 'Put text in single quotes, not double quotes.'],
  ['`', 'Put text in single quotes, not backticks.'],
  ['‘', 'Put text in straight single quotes, not typographic quotes.'],
  ['’', 'Put text in straight single quotes, not typographic quotes.'],
  ['“', 'Put text in straight single quotes, not typographic quotes.'],
  ['”', 'Put text in straight single quotes, not typographic quotes.'],
  ['[', 'JSON arrays are not supported: put lists in parentheses.'],
  [']', 'JSON arrays are not supported: put lists in parentheses.'],
  ['{', 'JSON objects are not supported in a filter.'],
  ['}', 'JSON objects are not supported in a filter.'],
  ['/', 'Paths with / (related records, any, all, $count) are not supported in a filter.'],
  ['$', 'Names with $, such as $it or $count, are not supported in a filter.'],
  ['@', 'Parameter aliases and annotations with @ are not supported.'],
  ['*', 'Arithmetic is not supported in a filter; the wildcard of like is %.'],
  ['%', '% is only allowed inside the quoted pattern of like.'],
  [':', 'Lambda expressions with : are not supported.'],
  [';', '; is not allowed in a filter: join conditions with and or or.'],
  ['#', '# is not allowed in a filter; inside a URL write it as %23.'],
]);

const SIGN = /[=<>!&|]/;
const INVISIBLE = /^[\p{C}\p{Z}]$/u;

/** The replacement for a token that is not in the grammar. */
interface SymbolAdvice {
  readonly message: string;
  readonly suggestion?: string;
}

/** Advice for a symbol wherever it stands; in the text it stands in, with the spaces it needs. */
export function symbolAdvice(token: Token, source?: string): SymbolAdvice {
  const word = WORD_BY_SIGN.get(token.text);
  if (word !== undefined) {
    const message = `Use ${word} instead of ${token.text}.`;
    const [before = ' ', after = ' '] = [source?.[token.start - 1], source?.[token.end]];
    if (SIGN.test(after)) return { message };
    const spaced = `${/[\s(]/.test(before) ? '' : ' '}${word}${/[\s(]/.test(after) ? '' : ' '}`;
    return { message, suggestion: spaced };
  }
  const sentence = SENTENCE_BY_CHARACTER.get(token.text);
  if (sentence !== undefined) return { message: sentence };
  if (INVISIBLE.test(token.text)) {
    const name = codePointName(token.text);
    return { message: `Unexpected invisible character ${name}; use a plain space.` };
  }
  return { message: `Unexpected character ${echo(token.text)}.` };
}

/** Names of the operators in other languages. */
const OPERATOR_BY_WORD: ReadonlyMap<string, Operator> = new Map([
  ['equals', 'eq'],
  ['equal', 'eq'],
  ['is', 'eq'],
  ['has', 'eq'],
  ['neq', 'ne'],
  ['gte', 'ge'],
  ['lte', 'le'],
  ['matches', 'like'],
  ['contains', 'like'],
  ['ilike', 'like'],
  ['nin', 'notin'],
  ['not_in', 'notin'],
]);

/** A replacement for a part of the filter. */
interface OperatorMeant {
  readonly value: string | undefined;
  readonly suggestion: string | undefined;
}

/**
 * The operator for another language's word at the cursor, in any case:
 * `is not` is ne, `between 1 and 2` two comparisons of the field, `startswith 'x'` like 'x%'.
 */
export function operatorMeantBy(cursor: Cursor, field: string): OperatorMeant | undefined {
  const { token } = cursor;
  const word = token.text.toLowerCase();
  const [first, second, third] = cursor.ahead(3);
  const through = (end: number | undefined) =>
    suggestable(cursor.context.source?.slice(token.start, end));
  if (word === 'is' && first?.keyword === 'not') {
    return { value: through(first.end), suggestion: 'ne' };
  }
  if (word === 'between' && second?.keyword === 'and' && first && third) {
    const written = (kind: string, text: string) => (kind === 'string' ? `'${text}'` : text);
    const low = written(first.kind, first.text);
    const high = written(third.kind, third.text);
    const suggestion = suggestable(`ge ${low} and ${field} le ${high}`);
    return { value: through(third.end), suggestion };
  }
  if (first?.kind === 'string' && (word === 'startswith' || word === 'endswith')) {
    const condition = likeInsteadOf(word, field, first.text)?.slice(field.length + 1);
    return { value: through(first.end), suggestion: suggestable(condition) };
  }
  const operator = OPERATOR_BY_WORD.get(word);
  return operator === undefined ? undefined : { value: undefined, suggestion: operator };
}

import { codePointName, echo } from '../echo.ts';
import type { Token } from '../lexer/token.ts';

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
  ['<', 'lt'],
  ['<=', 'le'],
  ['&', 'and'],
  ['&&', 'and'],
  ['|', 'or'],
  ['||', 'or'],
  ['!', 'not'],
]);

const SENTENCE_BY_CHARACTER: ReadonlyMap<string, string> = new Map([
  ['"', 'Text stands in single quotes, not in double quotes.'],
  ['`', 'Text stands in single quotes, not in backticks.'],
  ['‘', 'Text stands in straight single quotes; these are typographic ones.'],
  ['’', 'Text stands in straight single quotes; these are typographic ones.'],
  ['“', 'Text stands in straight single quotes; these are typographic ones.'],
  ['”', 'Text stands in straight single quotes; these are typographic ones.'],
  ['[', 'Lists stand in round parentheses; JSON arrays are not supported.'],
  [']', 'Lists stand in round parentheses; JSON arrays are not supported.'],
  ['{', 'JSON objects are not supported in a filter.'],
  ['}', 'JSON objects are not supported in a filter.'],
  ['/', 'Paths with / are not supported: no related records, any, all or $count in a filter.'],
  ['$', 'Names with $, such as $it or $count, are not supported in a filter.'],
  ['@', 'Parameter aliases and annotations with @ are not supported.'],
  ['*', 'There is no arithmetic in a filter; the wildcard of like is %.'],
  ['%', 'A % stands only inside the quoted pattern of like.'],
  [':', 'Lambda expressions with : are not supported.'],
  [';', 'A ; has no place in a filter; conditions are joined with and or or.'],
  ['#', 'A # has no place in a filter; inside a URL it must be written %23.'],
]);

const INVISIBLE = /^[\p{C}\p{Z}]$/u;

/** What a token that the grammar has no use for should be replaced with. */
export interface SymbolAdvice {
  readonly message: string;
  readonly suggestion?: string;
}

/** Advice for a symbol wherever it stands. */
export function symbolAdvice(token: Token): SymbolAdvice {
  const word = WORD_BY_SIGN.get(token.text);
  if (word !== undefined) {
    return { message: `Write ${word} instead of ${token.text}.`, suggestion: word };
  }
  const sentence = SENTENCE_BY_CHARACTER.get(token.text);
  if (sentence !== undefined) return { message: sentence };
  if (INVISIBLE.test(token.text)) {
    const name = codePointName(token.text);
    return { message: `The invisible character ${name} has no place here; use a plain space.` };
  }
  return { message: `The character ${echo(token.text)} has no place here.` };
}

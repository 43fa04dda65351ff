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
export interface SymbolAdvice {
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

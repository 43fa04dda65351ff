import { echo, suggestable } from '../echo.ts';
import type { Token } from '../lexer/token.ts';
import type { Operator } from '../operator.ts';
import type { QueryError } from '../query-error.ts';
import { badFilter, shown } from './bad-filter.ts';
import type { Cursor } from './cursor.ts';
import { symbolError } from './explain.ts';
import { sentenceAboutCall } from './words.ts';

const NO_NUMBERS: ReadonlySet<string> = new Set(['INF', 'NaN']);

/** The error for any other token where a value is expected. */
export function explainMissingValue(cursor: Cursor, operator: Operator): QueryError {
  const token = cursor.token;
  if (token.kind === 'symbol') return symbolError(token, 'value');
  if (token.kind === 'open') {
    const isList = operator === 'in' || operator === 'notin';
    const message = isList ? 'Lists cannot be nested.' : 'Use in or notin with a list.';
    return badFilter(token, message);
  }
  if (token.kind !== 'word') {
    return badFilter(token, `Expected a value after ${operator}, found ${shown(token)}.`);
  }
  return explainWordAsValue(cursor);
}

function explainWordAsValue(cursor: Cursor): QueryError {
  const word = cursor.token;
  if (cursor.ahead(1)[0]?.kind === 'open')
    return badFilter(word, sentenceAboutCall(echo(word.text)));
  if (NO_NUMBERS.has(word.text)) {
    return badFilter(word, `${word.text} is not supported: numbers must be finite.`);
  }
  const written = cursor.run();
  const suggestion = suggestable(`'${written}'`);
  const message = `'${echo(written)}' is not a value: put text in single quotes.`;
  return badFilter(word, message, suggestion).with({ value: echo(written) });
}

/** The error for any other token where the list of in or notin is expected. */
export function explainMissingList(token: Token, operator: 'in' | 'notin'): QueryError {
  if (token.kind === 'symbol') return symbolError(token, 'value');
  const message = `${operator} requires a list in parentheses, e.g. ('a','b'), not ${shown(token)}.`;
  return badFilter(token, message);
}

/** The error for any other token where the pattern of like is expected. */
export function explainMissingPattern(cursor: Cursor): QueryError {
  const token = cursor.token;
  if (token.kind === 'symbol') return symbolError(token, 'value');
  const message = `like requires a pattern in single quotes, e.g. 'acme%', not ${shown(token)}.`;
  return badFilter(token, message);
}

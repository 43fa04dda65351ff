import { echo, suggestable } from '../echo.ts';
import type { Token } from '../lexer/token.ts';
import type { Operator } from '../operator.ts';
import type { QueryError } from '../query-error.ts';
import type { Cursor } from './cursor.ts';
import { refuseSymbol } from './explain.ts';
import { refuse, shown } from './refuse.ts';
import { sentenceAboutCall } from './words.ts';

const NO_NUMBERS: ReadonlySet<string> = new Set(['INF', 'NaN']);

/** The refusal where a value must stand and something else does. */
export function explainMissingValue(cursor: Cursor, operator: Operator): QueryError {
  const token = cursor.token;
  if (token.kind === 'symbol') return refuseSymbol(token);
  if (token.kind === 'open') {
    const advice =
      operator === 'in' || operator === 'notin'
        ? 'lists do not nest'
        : 'a list goes with in or notin';
    return refuse(token, `${operator} takes plain values here: ${advice}.`);
  }
  if (token.kind !== 'word') {
    return refuse(token, `After ${operator} a value is expected before ${shown(token)}.`);
  }
  return explainWordAsValue(cursor);
}

function explainWordAsValue(cursor: Cursor): QueryError {
  const word = cursor.token;
  if (cursor.ahead(1)[0]?.kind === 'open') return refuse(word, sentenceAboutCall(echo(word.text)));
  if (NO_NUMBERS.has(word.text)) {
    return refuse(word, `${word.text} is not supported: numbers are finite.`);
  }
  const written = cursor.run();
  const message = `${echo(written)} is no value: text stands in single quotes, and fields are compared`;
  return refuse(word, `${message} with values, not with each other.`, suggestable(`'${written}'`));
}

/** The refusal where the list of in or notin must begin and something else stands. */
export function explainMissingList(token: Token, operator: 'in' | 'notin'): QueryError {
  if (token.kind === 'symbol') return refuseSymbol(token);
  const message = `${operator} takes a list in parentheses, such as ('a','b'), not ${shown(token)}.`;
  return refuse(token, message);
}

/** The refusal where the pattern of like must stand and something else does. */
export function explainMissingPattern(cursor: Cursor): QueryError {
  const token = cursor.token;
  if (token.kind === 'symbol') return refuseSymbol(token);
  const message = `like takes a pattern in single quotes, such as 'acme%', not ${shown(token)}.`;
  return refuse(token, message);
}

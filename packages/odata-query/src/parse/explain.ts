import { echo, suggestable } from '../echo.ts';
import { isConnective, isOperator } from '../keyword.ts';
import type { Token } from '../lexer/token.ts';
import { OPERATORS, type Operator } from '../operator.ts';
import { QueryError } from '../query-error.ts';
import { nearest } from '../suggest/nearest.ts';
import { withHint } from '../suggest/repair-operand.ts';
import { badFilter, type Cursor, shown } from './cursor.ts';
import {
  likeInsteadOf,
  operatorMeantBy,
  sentenceAbout,
  sentenceAboutCall,
  symbolAdvice,
} from './other-languages.ts';

/** Which operator says the same with the sides swapped. */
const FLIPPED: ReadonlyMap<Operator, Operator> = new Map([
  ['eq', 'eq'],
  ['ne', 'ne'],
  ['gt', 'lt'],
  ['ge', 'le'],
  ['lt', 'gt'],
  ['le', 'ge'],
]);

/** No example: what is filtered is not known here, and no field is in every resource. */
export const CONDITION = 'a field, an operator and a value';

/** The error for any other token where a condition is expected. */
export function explainMissingCondition(cursor: Cursor): QueryError {
  const token = cursor.token;
  if (token.kind === 'symbol') return symbolError(token, 'condition', cursor);
  if (token.kind === 'end' || token.kind === 'close' || token.kind === 'comma') {
    return badFilter(token, `Expected a condition (${CONDITION}), found ${shown(token)}.`);
  }
  if (isConnective(token.keyword)) {
    return badFilter(token, `Expected a condition (${CONDITION}), found ${token.text}.`);
  }
  return explainValueFirst(cursor);
}

/** `5 lt Founded` and the like: our grammar puts the field first. */
function explainValueFirst(cursor: Cursor): QueryError {
  const value = cursor.token;
  const [word, field] = cursor.ahead(2);
  const operator = word?.keyword;
  const flipped = isOperator(operator) ? FLIPPED.get(operator) : undefined;
  if (flipped === undefined) {
    const message = `A condition starts with a field, not with ${shown(value)}.`;
    return badFilter(value, message);
  }
  if (field?.kind !== 'word' || field.keyword !== undefined) {
    return badFilter(value, 'Two values cannot be compared: a condition starts with a field.');
  }
  const written = value.kind === 'string' ? `'${value.text.replaceAll("'", "''")}'` : value.text;
  const turned = `${field.text} ${flipped} ${written}`;
  const message = `The field must come first; did you mean ${echo(turned)}?`;
  return instead(cursor, value.start, field.end, message, turned);
}

/** The error for any other token where an operator is expected. */
export function explainMissingOperator(cursor: Cursor, field: Token): QueryError {
  const token = cursor.token;
  const name = echo(field.text);
  switch (token.kind) {
    case 'open':
      return explainCall(cursor, field);
    case 'symbol':
      return symbolError(token, 'operator', cursor);
    case 'end':
    case 'close':
      return bareFieldError(token, name);
    case 'word':
      return explainWordAsOperator(cursor, name);
    default:
      return badFilter(token, `Expected an operator between ${name} and ${shown(token)}.`);
  }
}

/** Functions are rejected; for those that `like` can replace, the error suggests the condition. */
function explainCall(cursor: Cursor, name: Token): QueryError {
  const [field, comma, text, close, operator, constant] = cursor.ahead(6);
  const isKnownShape = field?.kind === 'word' && comma?.kind === 'comma' && close?.kind === 'close';
  const condition =
    isKnownShape && text?.kind === 'string'
      ? likeInsteadOf(name.text, field.text, text.text)
      : undefined;
  const message = sentenceAboutCall(echo(name.text));
  if (condition === undefined || close === undefined) return badFilter(cursor.token, message);
  const isTest = operator?.keyword === 'eq' && constant?.keyword === 'true';
  const end = isTest ? constant.end : close.end;
  return instead(cursor, name.start, end, withHint(message, suggestable(condition)), condition);
}

// An error for a part of the filter, from `start` to `end`, with an equivalent as suggestion.
function instead(
  cursor: Cursor,
  start: number,
  end: number,
  message: string,
  suggestion: string,
): QueryError {
  const value = cursor.context.source?.slice(start, end) ?? '';
  return new QueryError('bad_filter', message, {
    parameter: '$filter',
    position: start,
    value: echo(value),
    suggestion: suggestable(value) && suggestable(suggestion),
  });
}

function explainWordAsOperator(cursor: Cursor, field: string): QueryError {
  const token = cursor.token;
  if (token.keyword === 'not') {
    const [next] = cursor.ahead(1);
    if (next?.keyword === 'in') {
      const message = 'Write not in as one word: notin.';
      return instead(cursor, token.start, next.end, message, 'notin');
    }
    return badFilter(token, `Put not before the condition: not (${field} …).`);
  }
  if (isConnective(token.keyword)) return bareFieldError(token, field);
  const meant = operatorMeantBy(cursor, field);
  const about = sentenceAbout(token.text);
  const suggestion = meant?.suggestion ?? nearest(token.text, OPERATORS);
  const message = withHint(about ?? `'${echo(token.text)}' is not an operator.`, suggestion);
  return new QueryError('bad_filter', message, {
    parameter: '$filter',
    field,
    position: token.start,
    value: meant?.value ?? echo(token.text),
    allowed: OPERATORS,
    suggestion,
  });
}

function bareFieldError(token: Token, field: string): QueryError {
  const message = `'${field}' is not a condition: add an operator and a value, e.g. ${field} ne null.`;
  return badFilter(token, message);
}

/** The error for an invalid token after a complete condition. */
export function explainConditionEnd(cursor: Cursor): QueryError {
  const { token } = cursor;
  if (token.kind === 'symbol') return symbolError(token, 'connective', cursor);
  if (token.kind === 'close') {
    return badFilter(token, 'Unmatched closing parenthesis.');
  }
  if (token.kind === 'comma') {
    const message =
      'Unexpected comma: commas only separate list values. Write numbers without them.';
    return badFilter(token, message);
  }
  const about = token.kind === 'word' ? sentenceAbout(token.text) : undefined;
  if (about !== undefined) return badFilter(token, about);
  const message = `Expected and, or, or the end of the filter, found ${shown(token)}.`;
  return badFilter(token, `${message} Put text in single quotes.`);
}

/** The error for a missing `and` or `or` between two conditions; undefined if none is missing. */
export function explainMissingConnective(cursor: Cursor): QueryError | undefined {
  const { token } = cursor;
  if (token.kind !== 'word' || !isOperator(cursor.ahead(1)[0]?.keyword)) return undefined;
  const suggestion = suggestable(`and ${token.text}`);
  const message = `Expected and or or between two conditions, found ${shown(token)}.`;
  return badFilter(token, withHint(message, suggestion), suggestion);
}

/** The kind of token expected in place of a symbol. */
type Expected = 'condition' | 'operator' | 'connective' | 'value';

const CAN_STAND: Readonly<Record<Expected, (word: string) => boolean>> = {
  condition: (word) => word === 'not',
  operator: (word) => OPERATORS.some((operator) => operator === word),
  connective: (word) => word === 'and' || word === 'or',
  value: () => false,
};

/** The error for a character that is not in the grammar. */
function symbolError(token: Token, expected: Expected, cursor?: Cursor): QueryError {
  const { message, suggestion } = symbolAdvice(token, cursor?.context.source);
  const fits = suggestion !== undefined && CAN_STAND[expected](suggestion.trim());
  return badFilter(token, message, fits ? suggestion : undefined);
}

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

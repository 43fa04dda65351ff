import { echo, suggestable } from '../echo.ts';
import { isConnective, isOperator } from '../keyword.ts';
import type { Token } from '../lexer/token.ts';
import { nearest } from '../nearest.ts';
import { OPERATORS, type Operator } from '../operator.ts';
import { QueryError } from '../query-error.ts';
import type { Cursor } from './cursor.ts';
import { refuse, shown } from './refuse.ts';
import { symbolAdvice } from './symbols.ts';
import { likeInsteadOf, operatorMeantBy, sentenceAbout, sentenceAboutCall } from './words.ts';

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

/** The refusal where a condition must begin and something else stands. */
export function explainMissingCondition(cursor: Cursor): QueryError {
  const token = cursor.token;
  if (token.kind === 'symbol') return refuseSymbol(token);
  if (token.kind === 'end' || token.kind === 'close' || token.kind === 'comma') {
    return refuse(token, `A condition (${CONDITION}) is expected before ${shown(token)}.`);
  }
  if (isConnective(token.keyword)) {
    return refuse(token, `A condition (${CONDITION}) is expected before ${token.text}.`);
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
    const message = `A condition begins with a field, not with ${shown(value)}.`;
    return refuse(value, message);
  }
  if (field?.kind !== 'word' || field.keyword !== undefined) {
    return refuse(value, 'Two values cannot be compared; a condition begins with a field.');
  }
  const written = value.kind === 'string' ? `'${value.text.replaceAll("'", "''")}'` : value.text;
  const turned = `${field.text} ${flipped} ${written}`;
  return refuse(value, `The field comes first: write ${echo(turned)}.`, suggestable(turned));
}

/** The refusal where the operator after a field must stand and something else does. */
export function explainMissingOperator(cursor: Cursor, field: Token): QueryError {
  const token = cursor.token;
  const name = echo(field.text);
  switch (token.kind) {
    case 'open':
      return explainCall(cursor, field);
    case 'symbol':
      return refuseSymbol(token);
    case 'end':
    case 'close':
      return refuseBareField(token, name);
    case 'word':
      return explainWordAsOperator(cursor, name);
    default:
      return refuse(token, `An operator is expected between ${name} and ${shown(token)}.`);
  }
}

/** Functions are refused; those that like can stand in for come with the condition to write. */
function explainCall(cursor: Cursor, name: Token): QueryError {
  const [field, comma, text, close] = cursor.ahead(4);
  const isKnownShape = field?.kind === 'word' && comma?.kind === 'comma' && close?.kind === 'close';
  const instead =
    isKnownShape && text?.kind === 'string'
      ? likeInsteadOf(name.text, field.text, text.text)
      : undefined;
  const suggestion = instead === undefined ? undefined : suggestable(instead);
  return refuse(cursor.token, sentenceAboutCall(echo(name.text)), suggestion);
}

function explainWordAsOperator(cursor: Cursor, field: string): QueryError {
  const token = cursor.token;
  if (token.keyword === 'not') {
    const [next] = cursor.ahead(1);
    return next?.keyword === 'in'
      ? refuse(token, 'Write notin in one word.', 'notin')
      : refuse(token, `not stands before a condition: write not (${field} …).`);
  }
  if (isConnective(token.keyword)) return refuseBareField(token, field);
  const about = sentenceAbout(token.text);
  if (about !== undefined) return refuse(token, about);
  const suggestion = operatorMeantBy(token.text) ?? nearest(token.text, OPERATORS);
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return new QueryError(
    'bad_filter',
    `After ${field} an operator is expected: ${echo(token.text)} is none.${hint}`,
    {
      parameter: '$filter',
      position: token.start,
      value: echo(token.text),
      allowed: OPERATORS,
      suggestion,
    },
  );
}

function refuseBareField(token: Token, field: string): QueryError {
  const message = `${field} alone is no condition: an operator and a value are expected before`;
  return refuse(token, `${message} ${shown(token)}, such as ${field} ne null.`);
}

/** The refusal where a condition is complete and something follows that cannot. */
export function explainConditionEnd(token: Token): QueryError {
  if (token.kind === 'symbol') return refuseSymbol(token);
  if (token.kind === 'close') {
    return refuse(token, 'This closing parenthesis has no opening one.');
  }
  if (token.kind === 'comma') {
    const message = 'A comma separates the values of a list only; numbers are written without any.';
    return refuse(token, message);
  }
  const about = token.kind === 'word' ? sentenceAbout(token.text) : undefined;
  if (about !== undefined) return refuse(token, about);
  const message = `After a condition and, or, or the end is expected, not ${shown(token)};`;
  return refuse(token, `${message} text stands in single quotes.`);
}

/** The refusal of a character that has no place in the grammar. */
export function refuseSymbol(token: Token): QueryError {
  const { message, suggestion } = symbolAdvice(token);
  return refuse(token, message, suggestion);
}

import type { FilterNode, TermNode, TermPosition } from '../ast.ts';
import { checkOperator } from '../bind/check-operator.ts';
import { echo } from '../echo.ts';
import { operatorsOf } from '../field-spec.ts';
import { isConnective, isConstant, isOperator } from '../keyword.ts';
import type { Token } from '../lexer/token.ts';
import { isOrderOperator, OPERATORS, type Operator } from '../operator.ts';
import { QueryError } from '../query-error.ts';
import { resolveFilterable } from '../resolve-field.ts';
import { hinted, repairedOperand } from '../suggest/repair-operand.ts';
import { repairedBareOperator } from '../suggest/repair-term.ts';
import type { Cursor } from './cursor.ts';
import {
  explainConditionEnd,
  explainMissingCondition,
  explainMissingConnective,
  explainMissingOperator,
  explainMissingPattern,
} from './explain.ts';
import { parseAny, parseCall } from './parse-call.ts';
import { parseList, parseValue } from './parse-value.ts';

/** Reads `Field op value`, standing at a word; or a function, where the context has them. */
export function parseTerm(cursor: Cursor): FilterNode {
  const field = cursor.token;
  if (isConstant(field.keyword) || isConnective(field.keyword)) {
    throw explainMissingCondition(cursor);
  }
  cursor.countTerm();
  cursor.take();
  const operatorToken = cursor.token;
  const operator = operatorToken.keyword;
  if (cursor.context.functions === true) {
    const isCall = operatorToken.kind === 'open';
    const isLambda = operatorToken.text === '/';
    if (isCall || isLambda) {
      const node = isCall ? parseCall(cursor, field) : parseAny(cursor, field, parseTerm);
      assertTermEnds(cursor);
      return node;
    }
  }
  if (!isOperator(operator)) throw explainOperator(cursor, field);
  try {
    cursor.take();
    const at = { field: field.text, position: field.start, operatorPosition: operatorToken.start };
    const term = parseOperand(cursor, operator, at);
    assertTermEnds(cursor);
    return term;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw explainOperand(error, cursor, field, operatorToken, operator);
  }
}

// Another language's operator is understood: the field may take it, another one, or none.
function explainOperator(cursor: Cursor, field: Token): QueryError {
  const error = explainMissingOperator(cursor, field);
  const [word = ''] = error.suggestion?.trim().split(' ', 1) ?? [];
  const operator = OPERATORS.find((each) => each === word);
  const { fields } = cursor.context;
  if (fields === undefined || operator === undefined || cursor.token.kind === 'open') return error;
  const [next] = cursor.ahead(1);
  const meant = next?.keyword === 'null' && isOrderOperator(operator) ? 'ne' : operator;
  const spec = resolveFilterable(fields, field.text, field.start, (each) =>
    operatorsOf(each).includes(meant),
  );
  const allowed = operatorsOf(spec);
  const isText = meant === 'eq' && next?.kind === 'string' && allowed.includes('like');
  const usable = isText && !allowed.includes('eq') ? 'like' : meant;
  checkOperator(spec, usable, cursor.token.start);
  if (usable === operator) return error.with({ field: spec.name });
  const suggestion = error.suggestion?.replace(operator, usable);
  const message = `Use ${usable} instead of ${echo(cursor.token.text)}.`;
  return new QueryError(error.code, message, { ...error, field: spec.name, suggestion });
}

function assertTermEnds(cursor: Cursor): void {
  const { kind, keyword } = cursor.token;
  if (kind === 'end' || kind === 'close' || keyword === 'and' || keyword === 'or') return;
  throw explainMissingConnective(cursor) ?? explainConditionEnd(cursor);
}

// docs/spec/errors.md 11.1: an error names the field, also where its value is not even one. Where
// the fields of the resource are known, a fault of field or operator comes first, as it does in the
// text.
function explainOperand(
  error: QueryError,
  cursor: Cursor,
  field: Token,
  operatorToken: Token,
  operator: Operator,
): QueryError {
  const named = error.with({ field: error.field ?? echo(field.text) });
  const { fields, source, ...context } = cursor.context;
  if (fields === undefined || source === undefined) return hinted(named);
  const takesOperator = (each: Parameters<typeof operatorsOf>[0]) =>
    operatorsOf(each).includes(operator);
  const spec = resolveFilterable(fields, field.text, field.start, takesOperator);
  try {
    checkOperator(spec, operator, operatorToken.start);
  } catch (operatorError) {
    if (!(operatorError instanceof QueryError)) throw operatorError;
    throw hinted(repairedBareOperator(operatorError, source, operatorToken, operator, spec));
  }
  if (/^\s?(?:and|or)\b/.test(error.suggestion ?? '')) return named;
  return hinted(repairedOperand(named, source, operatorToken, operator, spec, context));
}

function parseOperand(cursor: Cursor, operator: Operator, at: TermPosition): TermNode {
  if (operator === 'in' || operator === 'notin') {
    const values = Object.freeze(parseList(cursor, operator));
    return Object.freeze({ kind: 'in', ...at, negated: operator === 'notin', values });
  }
  if (operator === 'like') {
    if (cursor.token.kind !== 'string') throw explainMissingPattern(cursor);
    return Object.freeze({ kind: 'like', ...at, pattern: parseValue(cursor, operator) });
  }
  return Object.freeze({ kind: 'compare', ...at, operator, value: parseValue(cursor, operator) });
}

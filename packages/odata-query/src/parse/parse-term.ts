import { compareNode } from '../ast/compare-node.ts';
import type { TermNode } from '../ast/filter-node.ts';
import { inNode } from '../ast/in-node.ts';
import { likeNode } from '../ast/like-node.ts';
import { echo } from '../echo.ts';
import { isConnective, isConstant, isOperator } from '../keyword.ts';
import type { Operator } from '../operator.ts';
import { QueryError } from '../query-error.ts';
import type { Cursor } from './cursor.ts';
import { explainMissingCondition, explainMissingOperator } from './explain.ts';
import { explainMissingPattern } from './explain-value.ts';
import { parseList, parseValue } from './parse-value.ts';

/** Reads `Field op value`, standing at a word. */
export function parseTerm(cursor: Cursor): TermNode {
  const field = cursor.token;
  if (isConstant(field.keyword) || isConnective(field.keyword)) {
    throw explainMissingCondition(cursor);
  }
  cursor.countTerm();
  cursor.take();
  const operatorToken = cursor.token;
  const operator = operatorToken.keyword;
  if (!isOperator(operator)) throw explainMissingOperator(cursor, field);
  try {
    cursor.take();
    return parseOperand(cursor, field.text, operator, field.start, operatorToken.start);
  } catch (error) {
    throw error instanceof QueryError ? ofField(error, field.text) : error;
  }
}

// Spec §7.1: a refusal names the field, also where its value is not even one.
function ofField(error: QueryError, field: string): QueryError {
  return new QueryError(error.code, error.message, { ...error, field: error.field ?? echo(field) });
}

function parseOperand(
  cursor: Cursor,
  field: string,
  operator: Operator,
  position: number,
  operatorPosition: number,
): TermNode {
  if (operator === 'in' || operator === 'notin') {
    const values = parseList(cursor, operator);
    return inNode(field, operator === 'notin', values, position, operatorPosition);
  }
  if (operator === 'like') {
    if (cursor.token.kind !== 'string') throw explainMissingPattern(cursor);
    return likeNode(field, parseValue(cursor, operator), position, operatorPosition);
  }
  return compareNode(field, operator, parseValue(cursor, operator), position, operatorPosition);
}

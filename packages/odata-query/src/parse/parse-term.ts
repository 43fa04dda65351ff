import { compareNode } from '../ast/compare-node.ts';
import type { TermNode } from '../ast/filter-node.ts';
import { inNode } from '../ast/in-node.ts';
import { likeNode } from '../ast/like-node.ts';
import { constantNamed } from '../keyword.ts';
import { type Operator, operatorNamed } from '../operator.ts';
import type { Cursor } from './cursor.ts';
import { explainMissingCondition, explainMissingOperator } from './explain.ts';
import { parseList, parseValue } from './parse-value.ts';
import { refuse } from './refuse.ts';

/** Reads `Field op value`, standing at a word that is no connective. */
export function parseTerm(cursor: Cursor): TermNode {
  const field = cursor.token;
  if (constantNamed(field.text) !== undefined) throw explainMissingCondition(cursor);
  cursor.countTerm();
  cursor.take();
  const operatorToken = cursor.token;
  const operator = operatorToken.kind === 'word' ? operatorNamed(operatorToken.text) : undefined;
  if (operator === undefined) throw explainMissingOperator(cursor, field);
  cursor.take();
  return parseOperand(cursor, field.text, operator, field.start, operatorToken.start);
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
  const token = cursor.token;
  const value = parseValue(cursor, operator);
  if (operator !== 'like') {
    return compareNode(field, operator, value, position, operatorPosition);
  }
  if (value.type === 'string') return likeNode(field, value, position, operatorPosition);
  throw refuse(token, "like takes a pattern in single quotes, such as 'acme%'.");
}

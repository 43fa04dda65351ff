import { type Literal, literal } from '../ast.ts';
import { BOUNDS } from '../bounds.ts';
import { isConstant } from '../keyword.ts';
import type { Operator } from '../operator.ts';
import { badFilter, type Cursor } from './cursor.ts';
import { explainMissingList, explainMissingValue } from './explain.ts';

/** Reads one value, standing where one must be. */
export function parseValue(cursor: Cursor, operator: Operator): Literal {
  const token = cursor.token;
  switch (token.kind) {
    case 'string':
    case 'number':
    case 'date':
    case 'instant':
    case 'uuid':
      cursor.take();
      return literal(token.kind, token.text, token.start);
    case 'word': {
      const constant = token.keyword;
      if (!isConstant(constant)) throw explainMissingValue(cursor, operator);
      cursor.take();
      return literal(constant === 'null' ? 'null' : 'boolean', constant, token.start);
    }
    default:
      throw explainMissingValue(cursor, operator);
  }
}

/** Reads `('a','b')`, possibly empty, at most 500 values (OData's listExpr). */
export function parseList(cursor: Cursor, operator: 'in' | 'notin'): Literal[] {
  const open = cursor.token;
  if (open.kind !== 'open') throw explainMissingList(open, operator);
  cursor.take();
  const values: Literal[] = [];
  if (cursor.token.kind === 'close') {
    cursor.take();
    return values;
  }
  for (;;) {
    if (values.length === BOUNDS.listValues) {
      throw badFilter(cursor.token, `A list can have at most ${BOUNDS.listValues} values.`);
    }
    values.push(parseValue(cursor, operator));
    const token = cursor.token;
    if (token.kind === 'close') {
      cursor.take();
      return values;
    }
    if (token.kind === 'end') {
      throw badFilter(token, `The list at position ${open.start} is not closed.`);
    }
    if (token.kind !== 'comma') {
      throw badFilter(token, 'Separate list values with commas.');
    }
    cursor.take();
  }
}

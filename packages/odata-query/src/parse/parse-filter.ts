import { type FilterNode, groupNode } from '../ast.ts';
import { BOUNDS } from '../bounds.ts';
import { QueryError } from '../query-error.ts';
import { badFilter, Cursor, type ParseContext } from './cursor.ts';
import { CONDITION, explainConditionEnd, explainMissingCondition } from './explain.ts';
import { parseTerm } from './parse-term.ts';

/**
 * Reads a `$filter` (docs/spec/query-language.md 5.1) into a frozen tree without fields.
 * The text is the decoded parameter, at most 32,000 characters; time is linear in its length. With
 * the fields of the resource, errors suggest what fits the field; a name that is no field is
 * rejected here only where its term cannot be read.
 *
 * @throws QueryError `bad_filter` or `bad_date`, always with the position of the fault; with
 * fields also `unknown_field`, `field_not_filterable` and `operator_not_supported`.
 */
export function parseFilter(text: string, context: Omit<ParseContext, 'source'> = {}): FilterNode {
  if (text.length > BOUNDS.filterCharacters) {
    throw new QueryError(
      'bad_filter',
      `A filter can have at most ${BOUNDS.filterCharacters} characters; this one has ${text.length}.`,
      { parameter: '$filter', position: BOUNDS.filterCharacters },
    );
  }
  const cursor = new Cursor(text, context);
  const first = cursor.token;
  if (first.kind === 'end') {
    throw badFilter(first, `The filter is empty. Add a condition: ${CONDITION}.`);
  }
  const node = parseOr(cursor);
  if (cursor.token.kind !== 'end') throw explainConditionEnd(cursor);
  return node;
}

function parseOr(cursor: Cursor): FilterNode {
  const first = parseAnd(cursor);
  if (cursor.token.keyword !== 'or') return first;
  const operands = [first];
  while (cursor.token.keyword === 'or') {
    cursor.take();
    operands.push(parseAnd(cursor));
  }
  return groupNode('or', operands, first.position);
}

/** `and` binds tighter than `or`. */
function parseAnd(cursor: Cursor): FilterNode {
  const first = parseCondition(cursor);
  if (cursor.token.keyword !== 'and') return first;
  const operands = [first];
  while (cursor.token.keyword === 'and') {
    cursor.take();
    operands.push(parseCondition(cursor));
  }
  return groupNode('and', operands, first.position);
}

/** `not` binds tighter than `and`, and takes the one condition that follows it. */
function parseCondition(cursor: Cursor): FilterNode {
  const token = cursor.token;
  if (token.kind === 'open') return parseGroup(cursor);
  if (token.kind !== 'word') throw explainMissingCondition(cursor);
  if (token.keyword !== 'not') return parseTerm(cursor);
  cursor.enter();
  cursor.take();
  const operand = cursor.token.kind === 'open' ? parseGroupInside(cursor) : parseCondition(cursor);
  cursor.leave();
  return Object.freeze({ kind: 'not', operand, position: token.start });
}

function parseGroup(cursor: Cursor): FilterNode {
  cursor.enter();
  const node = parseGroupInside(cursor);
  cursor.leave();
  return node;
}

function parseGroupInside(cursor: Cursor): FilterNode {
  const open = cursor.take();
  const node = parseOr(cursor);
  if (cursor.token.kind === 'close') {
    cursor.take();
    return node;
  }
  if (cursor.token.kind !== 'end') throw explainConditionEnd(cursor);
  throw badFilter(cursor.token, `The parenthesis at position ${open.start} is not closed.`);
}

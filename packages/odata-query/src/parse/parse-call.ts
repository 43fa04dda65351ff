import {
  type FilterNode,
  type Literal,
  literal,
  type TermNode,
  type TermPosition,
} from '../ast.ts';
import { echo } from '../echo.ts';
import type { Token } from '../lexer/token.ts';
import { badFilter, type Cursor, shown } from './cursor.ts';

/** Reads one comparison. */
type ReadTerm = (cursor: Cursor) => FilterNode;

/** Where a function of text has the wildcards of `like`. */
const PATTERNS: ReadonlyMap<string, (escaped: string) => string> = new Map([
  ['contains', (escaped: string) => `%${escaped}%`],
  ['startswith', (escaped: string) => `${escaped}%`],
  ['endswith', (escaped: string) => `%${escaped}`],
]);
/** `like` ignores case, so these change nothing. */
const CASES: ReadonlySet<string> = new Set(['tolower', 'toupper']);
const YEAR_MIN = 1;
const YEAR_MAX = 9_998;

/**
 * Reads the rest of a function of OData at its parenthesis: `contains(Name,'x')`, `startswith`, `endswith`,
 * with `tolower` and `toupper` around their operands, and `year(Date) eq 2024`.
 *
 * @throws QueryError `bad_filter` for any other function.
 */
export function parseCall(cursor: Cursor, name: Token): FilterNode {
  const pattern = PATTERNS.get(name.text.toLowerCase());
  if (name.text.toLowerCase() === 'year') return parseYear(cursor);
  if (pattern === undefined) throw unknownCall(name);
  expect(cursor, 'open', '(');
  const field = readOperand(cursor, 'word', 'a field');
  expect(cursor, 'comma', 'a comma');
  const text = readOperand(cursor, 'string', 'a text in single quotes');
  expect(cursor, 'close', ')');
  const escaped = text.text.replace(/[\\%_]/g, '\\$&');
  const node = Object.freeze({
    ...{ kind: 'like' as const, field: field.text, position: field.start },
    operatorPosition: name.start,
    pattern: literal('string', pattern(escaped), text.start),
  });
  return testedBy(cursor, node, name.start);
}

/**
 * Reads the rest of `Tag/any(t: t eq 'AI')` at its slash, also with `in`, functions and `or`; and of
 * `Tag/any()`, which is true of a list with a value.
 *
 * @throws QueryError `bad_filter` for any other condition, which another condition on the field would not mean.
 */
export function parseAny(cursor: Cursor, field: Token, readTerm: ReadTerm): FilterNode {
  cursor.take();
  const any = cursor.take();
  if (any.text !== 'any') throw badFilter(any, any.text === 'all' ? LAMBDA : PATH);
  const spec = cursor.context.fields?.get(field.text);
  if (spec !== undefined && spec.many !== true) {
    const message = `${spec.name} has one value: compare it without any.`;
    throw badFilter(any, message);
  }
  expect(cursor, 'open', '(');
  if (cursor.token.kind === 'close') {
    cursor.take();
    return compare(at(field, any), 'ne', literal('null', 'null', any.start));
  }
  const variable = take(cursor, 'word', 'a variable');
  if (cursor.token.text !== ':') throw badFilter(cursor.token, LAMBDA);
  cursor.take();
  const operands: TermNode[] = [];
  for (;;) {
    const start = cursor.token;
    const node = readTerm(cursor);
    if (!isAnyOf(node, variable.text)) throw badFilter(start, LAMBDA);
    operands.push(Object.freeze({ ...node, field: field.text, position: field.start }));
    if (cursor.token.keyword !== 'or') break;
    cursor.take();
  }
  expect(cursor, 'close', ')');
  const [first] = operands;
  if (first !== undefined && operands.length === 1) return first;
  return Object.freeze({ kind: 'or', operands: Object.freeze(operands), position: field.start });
}

const LAMBDA =
  "On a field with several values write any with eq, in, contains, startswith or endswith, joined by or: Tag/any(t: t eq 'AI').";

const PATH =
  'Paths to fields of related records are not supported: filter the entity set of these records.';

// "One of the values is x" is what the operators mean on a field with several values; `ne` and `notin` mean
// that none of them is.
function isAnyOf(node: FilterNode, variable: string): node is TermNode {
  if (node.kind === 'like') return node.field === variable;
  if (node.kind !== 'compare' && node.kind !== 'in') return false;
  const values = node.kind === 'in' ? node.values : [node.value];
  const isPositive = node.kind === 'in' ? !node.negated : node.operator === 'eq';
  return isPositive && node.field === variable && values.every(({ type }) => type !== 'null');
}

// `year(Date) ge 2020` is `Date ge 2020-01-01`.
function parseYear(cursor: Cursor): FilterNode {
  expect(cursor, 'open', '(');
  const field = take(cursor, 'word', 'a field with dates');
  expect(cursor, 'close', ')');
  const operator = cursor.take();
  const value = take(cursor, 'number', 'a year');
  const year = Number(value.text);
  if (!Number.isInteger(year) || year < YEAR_MIN || year > YEAR_MAX) {
    throw badFilter(value, `A year is a whole number from ${YEAR_MIN} to ${YEAR_MAX}.`);
  }
  const position = at(field, operator);
  const begin = (of: number) =>
    literal('date', `${String(of).padStart(4, '0')}-01-01`, value.start);
  const from = compare(position, 'ge', begin(year));
  const until = compare(position, 'lt', begin(year + 1));
  const within: FilterNode = Object.freeze({
    ...{ kind: 'and' as const, operands: Object.freeze([from, until]), position: field.start },
  });
  switch (operator.keyword) {
    case 'eq':
      return within;
    case 'ne':
      return Object.freeze({ kind: 'not', operand: within, position: field.start });
    case 'ge':
      return from;
    case 'gt':
      return compare(position, 'ge', begin(year + 1));
    case 'lt':
      return compare(position, 'lt', begin(year));
    case 'le':
      return until;
    default:
      throw badFilter(operator, 'Compare a year with eq, ne, gt, ge, lt or le.');
  }
}

/** A test of a truth value: `contains(Name,'x') eq true`. */
function testedBy(cursor: Cursor, node: FilterNode, position: number): FilterNode {
  const operator = cursor.token.keyword;
  if (operator !== 'eq' && operator !== 'ne') return node;
  cursor.take();
  const { token } = cursor;
  if (token.keyword !== 'true' && token.keyword !== 'false') {
    throw badFilter(token, `Expected true or false, found ${shown(token)}.`);
  }
  cursor.take();
  const isTrue = (operator === 'eq') === (token.keyword === 'true');
  return isTrue ? node : Object.freeze({ kind: 'not', operand: node, position });
}

function readOperand(cursor: Cursor, kind: 'word' | 'string', expected: string): Token {
  const { token } = cursor;
  if (token.kind !== 'word' || !CASES.has(token.text.toLowerCase())) {
    return take(cursor, kind, expected);
  }
  cursor.take();
  expect(cursor, 'open', '(');
  const inside = take(cursor, kind, expected);
  expect(cursor, 'close', ')');
  return inside;
}

function take(cursor: Cursor, kind: Token['kind'], expected: string): Token {
  const { token } = cursor;
  if (token.kind === kind && (kind !== 'word' || token.keyword === undefined)) return cursor.take();
  throw badFilter(token, `Expected ${expected}, found ${shown(token)}.`);
}

function expect(cursor: Cursor, kind: Token['kind'], expected: string): void {
  if (cursor.token.kind === kind) cursor.take();
  else throw badFilter(cursor.token, `Expected ${expected}, found ${shown(cursor.token)}.`);
}

function at(field: Token, operator: Token): TermPosition {
  return { field: field.text, position: field.start, operatorPosition: operator.start };
}

function compare(position: TermPosition, operator: 'eq' | 'ne' | 'ge' | 'lt', value: Literal) {
  return Object.freeze({ kind: 'compare' as const, ...position, operator, value });
}

function unknownCall(name: Token) {
  const shownName = echo(name.text);
  if (CASES.has(name.text.toLowerCase())) {
    const message = `${shownName} is only supported inside contains, startswith and endswith, which ignore case: contains(tolower(Name),'acme').`;
    return badFilter(name, message);
  }
  return badFilter(
    name,
    `The function ${shownName} is not supported. Use contains, startswith, endswith or year, or filter in the client.`,
  );
}

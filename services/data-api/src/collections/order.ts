/**
 * Orders and positions in them as SQL. Nulls are first in ascending and last in descending order, so that one index serves
 * both directions; the tie break has the direction of the last key for the same reason.
 */
import type { BoundFilter } from '@vcds/odata-query';
import type { SqlValues } from '../postgres/sql-values.ts';
import type { Resource, ResourceField } from '../resources/index.ts';
import type { KeyValue } from './cursor.ts';
import type { OrderKey } from './plan.ts';

/** The value of a sort key in the last row of a page. */
export type Boundary = KeyValue;

/** The rows of an order that meet conditions on its keys, and their order. */
export interface OrderPart {
  readonly conditions: (values: SqlValues) => readonly string[];
  readonly order: string;
}

/** The keys up to the tie break; keys after it order nothing. */
export function effectiveKeys(
  { tieBreak }: Resource,
  keys: readonly OrderKey[],
  row: string,
): readonly OrderKey[] {
  const last = keys.findIndex(({ field }) => sortSql(field, row) === `${row}.${tieBreak}`);
  return last === -1 ? keys : keys.slice(0, last + 1);
}

/** The terms of a filter that all have to be met. */
export function termsOf(
  filter: BoundFilter<ResourceField> | undefined,
): readonly BoundFilter<ResourceField>[] {
  if (filter === undefined) return [];
  return filter.kind === 'and' ? filter.operands.flatMap(termsOf) : [filter];
}

/**
 * The keys without those that a term of the filter restricts to one value, because these order
 * nothing. The last key stays: the tie break has its direction.
 */
export function varyingKeys(
  keys: readonly OrderKey[],
  filter: BoundFilter<ResourceField> | undefined,
): readonly OrderKey[] {
  const constant = termsOf(filter).flatMap((term) =>
    term.kind === 'compare' && term.operator === 'eq' && term.field.type !== 'text'
      ? [term.field]
      : [],
  );
  return keys.filter(({ field }, index) => index === keys.length - 1 || !constant.includes(field));
}

/** Whether a field is the tie break. */
export function isTieBreak({ tieBreak }: Resource, { match }: ResourceField): boolean {
  return match?.kind === 'column' && match.sql('r') === `r.${tieBreak}`;
}

/** Whether an order has more than one key beside the tie break. */
export function hasSeveralKeys(resource: Resource, keys: readonly OrderKey[]): boolean {
  return effectiveKeys(resource, keys, 'r').length > 1;
}

/** The content of ORDER BY: the keys, and the tie break. */
export function ordering(
  resource: Resource,
  keys: readonly OrderKey[],
  row: string,
  isReversed = false,
): string {
  const tieBreak = `${row}.${resource.tieBreak}`;
  const direction = (descending: boolean) => (descending === isReversed ? 'ASC' : 'DESC');
  const written = effectiveKeys(resource, keys, row).map(({ field, descending }) => {
    const sql = sortSql(field, row);
    const order = direction(descending);
    if (sql === tieBreak) return `${sql} ${order}`;
    return `${sql} ${order} NULLS ${order === 'DESC' ? 'LAST' : 'FIRST'}`;
  });
  const isComplete = written.at(-1)?.startsWith(`${tieBreak} `) ?? false;
  const last = direction(keys.at(-1)?.descending ?? false);
  return [...written, ...(isComplete ? [] : [`${tieBreak} ${last}`])].join(', ');
}

/**
 * The parts of an order by several keys: the rows with a first key before its boundary, equal to it,
 * and after it; the equal ones again in parts, by the next key and boundary. Together they are all
 * rows in order, whatever the boundaries are. Many rows may share the value of a key: with the value
 * in its condition, the planner can read these by an index of the next key, instead of all of them
 * to sort them.
 */
export function partsAround(
  resource: Resource,
  keys: readonly OrderKey[],
  [boundary, ...boundaries]: readonly Boundary[],
  row: string,
): readonly OrderPart[] {
  const [first, ...others] = keys;
  const order = ordering(resource, keys, row);
  if (first === undefined || boundary === undefined) return [{ conditions: () => [], order }];
  const key = sortSql(first.field, row);
  const compared = (operator: string) => (values: SqlValues) => [
    `${key} ${operator} ${values.add(boundary, sqlTypeOf(first.field))}`,
  ];
  const isNull = () => [`${key} IS NULL`];
  const equal = boundary === null ? isNull : compared('=');
  const within = partsAround(resource, others, boundaries, row).map((part) => ({
    ...part,
    conditions: (values: SqlValues) => [...equal(values), ...part.conditions(values)],
  }));
  const nulls = first.field.notNull
    ? []
    : [{ conditions: isNull, order: ordering(resource, others, row) }];
  const lower = [{ conditions: compared('<'), order }];
  const higher = [{ conditions: compared('>'), order }];
  const rest = [{ conditions: () => [`${key} IS NOT NULL`], order }];
  const before = first.descending ? higher : [...nulls, ...lower];
  const after = first.descending ? [...lower, ...nulls] : higher;
  if (boundary === null) return first.descending ? [...rest, ...within] : [...within, ...rest];
  return [...before, ...within, ...after];
}

/** The expression that sorts by a field. */
export function sortSql(field: ResourceField, row: string): string {
  if (field.match?.kind !== 'column') throw new TypeError(`${field.name} cannot be sorted.`);
  const { sql, ordered = sql } = field.match;
  return ordered(row);
}

/** The SQL type of a field that can be sorted. */
export function sqlTypeOf({ match, name }: ResourceField): string {
  if (match?.kind !== 'column') throw new TypeError(`${name} cannot be sorted.`);
  return match.sqlType;
}

/** One key of an order. The last one of an order is unique and never null. */
export interface OrderTerm {
  /** The value as it is sorted, of the row with this alias. */
  readonly sql: (row: string) => string;
  readonly sqlType: string;
  readonly descending: boolean;
  readonly nullable: boolean;
}

/** The keys of an order, and the tie break. */
export function orderTerms(resource: Resource, keys: readonly OrderKey[]): readonly OrderTerm[] {
  const tieBreak = (row: string) => `${row}.${resource.tieBreak}`;
  const terms = effectiveKeys(resource, keys, '').map(({ field, descending }): OrderTerm => {
    const sql = (row: string) => sortSql(field, row);
    return { sql, sqlType: sqlTypeOf(field), descending, nullable: sql('') !== tieBreak('') };
  });
  const last = terms.at(-1);
  if (last?.nullable === false) return terms;
  const descending = last?.descending ?? false;
  return [...terms, { sql: tieBreak, sqlType: resource.tieBreakType, descending, nullable: false }];
}

/**
 * SQL of the values of a row for a cursor, of type json: see {@link KeyValue}. They are complete: a
 * position that depended on the record would move when the record changes.
 */
export function keysSql(terms: readonly OrderTerm[], row: string): string {
  return `json_build_array(${terms.map(({ sql }) => `(${sql(row)})::text`).join(', ')})`;
}

/** Rows after a position. */
export interface PositionPart {
  readonly condition: string;
  /** Whether all of them have the same value of the first key. */
  readonly isOfOneValue: boolean;
}

/**
 * The rows after a position in parts, which are disjoint and in order. Each suits an index of the
 * first key or of the next one: the first part restricts the first key to its value, or compares it
 * together with the tie break.
 */
export function partsAfter(
  terms: readonly OrderTerm[],
  keys: readonly KeyValue[],
  row: string,
  values: SqlValues,
): readonly PositionPart[] {
  const bounds = terms.map((term, index): Bound => {
    const value = keys[index] ?? null;
    const sql = value === null ? null : values.add(value, term.sqlType);
    return { ...term, key: term.sql(row), value: sql };
  });
  const [first, ...rest] = bounds;
  if (first === undefined) return [];
  const isOfOneIndex =
    first.value !== null &&
    rest.length <= 1 &&
    rest.every(({ descending }) => descending === first.descending);
  const of = (condition: string | undefined, isOfOneValue = false): PositionPart[] =>
    condition === undefined ? [] : [{ condition, isOfOneValue }];
  const parts = isOfOneIndex
    ? of(compared(bounds))
    : [...of(`${equal(first)} AND ${after(rest)}`, true), ...of(beyond(first))];
  return [...parts, ...of(nullsAfter(first), true)];
}

/** A term with its SQL and that of its value at a position; null for the value null. */
interface Bound extends OrderTerm {
  readonly key: string;
  readonly value: string | null;
}

/** One row comparison of all terms, which have one direction and values that are not null. */
function compared(bounds: readonly Bound[]): string {
  const operator = bounds[0]?.descending ? '<' : '>';
  const row = (texts: readonly (string | null)[]) =>
    texts.length === 1 ? texts[0] : `(${texts.join(', ')})`;
  return `${row(bounds.map(({ key }) => key))} ${operator} ${row(bounds.map(({ value }) => value))}`;
}

function after(bounds: readonly Bound[]): string {
  const [first, ...rest] = bounds;
  if (first === undefined) return 'false';
  const isComparable = bounds.every(
    ({ value, descending, nullable }) =>
      value !== null && descending === first.descending && !(descending && nullable),
  );
  if (isComparable) return compared(bounds);
  const higher = [beyond(first), nullsAfter(first)].filter((each) => each !== undefined);
  return `(${[...higher, `${equal(first)} AND ${after(rest)}`].join(' OR ')})`;
}

function equal({ key, value }: Bound): string {
  return value === null ? `${key} IS NULL` : `${key} = ${value}`;
}

/** The values that are not null and follow; undefined if none do. */
function beyond({ key, value, descending }: Bound): string | undefined {
  if (value === null) return descending ? undefined : `${key} IS NOT NULL`;
  return `${key} ${descending ? '<' : '>'} ${value}`;
}

function nullsAfter({ key, value, descending, nullable }: Bound): string | undefined {
  return nullable && descending && value !== null ? `${key} IS NULL` : undefined;
}

/** Positions in an order as SQL: their values, and the conditions for the records after them. */
import type { SqlValues } from '../postgres/sql-values.ts';
import type { Resource } from '../resources/index.ts';
import type { KeyValue } from './cursor.ts';
import { effectiveKeys, sortSql, sqlTypeOf } from './order.ts';
import type { OrderKey } from './plan.ts';

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
  /** The value of the first key, if all of them have the same. */
  readonly shared: readonly KeyValue[];
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
  const of = (condition: string | undefined, shared: readonly KeyValue[] = []): PositionPart[] =>
    condition === undefined ? [] : [{ condition, shared }];
  const parts = isOfOneIndex
    ? of(compared(bounds))
    : [...of(`${equal(first)} AND ${after(rest)}`, [keys[0] ?? null]), ...of(beyond(first))];
  return [...parts, ...of(nullsAfter(first), [null])];
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

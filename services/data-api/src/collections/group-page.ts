/**
 * Pages after many records, in an order that the facet index has in part: it has amounts to three digits, names as ranges, and no
 * times. An engine in memory counts the records before those that it cannot separate from the first one of the page, and
 * the database reads the order from these.
 */
import type { RecordStart } from '@vcds/facet-engine';
import {
  type Indexed,
  type IndexedId,
  indexedById,
  measureValue,
  storedRange,
} from '@vcds/venture-model';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import { type CountCondition, isMeasure } from './count-condition.ts';
import { isBeforeKeys, positionKeys } from './index-position.ts';
import type { FirstRecordsQuery } from './indexed-order.ts';
import { effectiveKeys, ordering, sortSql, sqlTypeOf } from './order.ts';
import type { OrderKey, PagePlan } from './plan.ts';
import { conditions, pageOf, ROW, rowsOfIds } from './sql.ts';
import { compileCorrection } from './stored-count.ts';

/** Where a page begins. */
export interface GroupStart {
  readonly condition: CountCondition;
  /** The keys that the index has. */
  readonly order: FirstRecordsQuery['order'];
  /** The position of the records that these do not separate from the first one of the page. */
  readonly start: RecordStart;
}

/** A key of the order, and the value of the group as the index stores it. */
interface GroupKey {
  readonly indexed: Indexed;
  readonly value: number | null;
  readonly descending: boolean;
  readonly sql: string;
  /** SQL of the least value that is stored so, and of the greatest one or the first one after it. */
  readonly low: () => string;
  readonly high: () => string;
  /** How values up to that of the group, and values above, compare with `high`. */
  readonly upTo: '<=' | '<';
  readonly above: '>' | '>=';
}

/** A group of at most so many records is sorted; of others, the index of the next key is read. */
const SORTED_MAX = 60_000;

/**
 * The statement of the page, with the columns of `FoundPageColumns`. It corrects the number of records before the group
 * by those in the log of the index. The page is whole unless these moved its first record before the group, or beyond it.
 * Undefined if the engine has not counted by all keys of the order that the index has, or by ids as well.
 */
export function compileGroupPage(
  plan: PagePlan,
  baseUrl: string,
  { condition, order, start }: GroupStart,
): Statement | undefined {
  const { resource, orderBy, skip, top } = plan;
  const exactBelow = order[start.values.length - 1]?.exactBelow ?? null;
  const isExact = exactBelow === null || (start.values.at(-1) ?? -1) < exactBelow;
  const isCounted = !isExact || start.values.length === order.length;
  if (!isCounted || start.id !== undefined) return undefined;
  const values = new SqlValues();
  const orderKeys = effectiveKeys(resource, orderBy, ROW);
  const keys = orderKeys
    .slice(0, start.values.length)
    .map((key, i) => groupKey(key, order[i]?.dimension, start.values[i] ?? null, values));
  const last = keys.at(-1);
  if (last === undefined) return undefined;
  const met = conditions(plan, values);
  const before = partsBefore(keys).map((part) => `(${part.condition})`);
  const isBefore = `${met} AND (${['false', ...before].join(' OR ')})`;
  const correction = compileCorrection(
    {
      ...condition,
      where: { kind: 'and', of: [condition.where, isBeforeKeys(positionKeys(order, start))] },
    },
    {
      ...{ table: resource.table, row: ROW, conditions: isBefore },
      indexed: { conditions: isBefore, gap: undefined },
    },
    values,
  );
  const skipped = `${values.add(skip - start.before, 'bigint')} - i.correction`;
  const begin = (column: string) => `(SELECT b.${column} FROM begin AS b)`;
  const count = (part: number) => `(SELECT count(*) FROM part${part})`;
  const isSorted = isExact && start.equal <= SORTED_MAX;
  const parts = partsFrom(keys, isExact).map(({ condition: isIn, shared }, i) => {
    const found = Array.from({ length: i }, (_, part) => count(part)).join(' + ');
    const isRead = i === 0 ? begin('is_found') : `${count(0)} > 0 AND ${found} <= ${top}`;
    const from = `${resource.table} AS ${ROW} WHERE ${met} AND ${isIn} AND ${isRead}`;
    // The last key remains: ids have its direction. OFFSET 0 separates the conditions from the order.
    const rows = i === 0 && isSorted ? `(SELECT ${ROW}.* FROM ${from} OFFSET 0) AS ${ROW}` : from;
    return `part${i} AS MATERIALIZED (SELECT ${ROW}.id FROM ${rows}
      ORDER BY ${ordering(resource, orderKeys.slice(Math.min(shared, orderKeys.length - 1)), ROW)}
      LIMIT ${top + 1} ${i === 0 ? `OFFSET ${begin('skipped')}` : ''})`;
  });
  const all = parts.map(
    (_, i) => `SELECT ${i} AS part, row_number() OVER () AS position, p.id FROM part${i} AS p`,
  );
  const ids = `SELECT a.id FROM (${all.join(' UNION ALL ')}) AS a
    ORDER BY a.part, a.position LIMIT ${top + 1}`;
  return pageOf(plan, baseUrl, rowsOfIds(resource, ids), values, 'custom', {
    with: `WITH facet_index AS MATERIALIZED (${correction}), begin AS MATERIALIZED (
      SELECT i.version, i.correction IS NULL AS is_behind, greatest(${skipped}, 0) AS skipped,
        coalesce(${skipped} >= 0, false) AND ${isBounded(last)} AS is_found FROM facet_index AS i),
      ${parts.join(', ')}`,
    page: `${begin('version')} AS version, ${begin('is_behind')} AS "isBehind", ${count(0)} > 0 AS "isWhole"`,
  });
}

function groupKey(
  { field, descending }: OrderKey,
  dimension: IndexedId | undefined,
  value: number | null,
  values: SqlValues,
): GroupKey {
  if (dimension === undefined) throw new TypeError('The index does not have the key.');
  const indexed = indexedById(dimension);
  const key = { indexed, value, descending, sql: sortSql(field, ROW) };
  const number = value ?? 0;
  if (isRange(indexed)) {
    const first = (range: number) => `(SELECT t.first FROM venture.text_range AS t
      WHERE t.number = ${values.add(range, 'integer')})`;
    const bounds = { low: () => first(number), high: () => first(number + 1) };
    return { ...key, ...bounds, upTo: '<', above: '>=' };
  }
  const [least, most] = isMeasure(indexed) ? storedRange(indexed, number) : [number, number];
  const column = (each: number) =>
    values.add(isMeasure(indexed) ? measureValue(indexed, each) : each, sqlTypeOf(field));
  return { ...key, low: () => column(least), high: () => column(most), upTo: '<=', above: '>' };
}

function isRange(indexed: Indexed): boolean {
  return isMeasure(indexed) && indexed.unit === 'text_range';
}

/** The last range of texts has no text after it. */
function isBounded({ indexed, descending, high }: GroupKey): string {
  return isRange(indexed) && descending ? `${high()} IS NOT NULL` : 'true';
}

/** Records whose first keys have the values of the group. */
interface Part {
  readonly condition: string;
  /** The number of these keys: later ones order the records. */
  readonly shared: number;
}

function partOf(keys: readonly GroupKey[], shared: number, condition: string): Part {
  const equal = keys.slice(0, shared).map(isEqual);
  return { condition: [...equal, condition].join(' AND '), shared };
}

/**
 * The records from the group on, in disjoint parts, in order.
 *
 * @param isExact whether the records of the group have equal values
 */
function partsFrom(keys: readonly GroupKey[], isExact: boolean): readonly Part[] {
  const shared = isExact ? keys.length : keys.length - 1;
  const first = isExact ? ['true'] : keys.slice(shared).flatMap(termsFrom);
  const later = keys
    .slice(0, shared)
    .flatMap((key, i) => termsAfter(key).map((each) => partOf(keys, i, each)));
  return [...first.map((each) => partOf(keys, shared, each)), ...later.toReversed()];
}

/** The records before the group, in disjoint parts. */
function partsBefore(keys: readonly GroupKey[]): readonly Part[] {
  return keys.flatMap((key, i) => termsBefore(key).map((each) => partOf(keys, i, each)));
}

function isEqual({ sql, value, low }: GroupKey): string {
  return value === null ? `${sql} IS NULL` : `${sql} = ${low()}`;
}

// Nulls are first in ascending and last in descending order.
function termsBefore({ sql, value, descending, low, high, above }: GroupKey): readonly string[] {
  if (value === null) return descending ? [`${sql} IS NOT NULL`] : [];
  return descending ? [`${sql} ${above} ${high()}`] : [`${sql} < ${low()}`, `${sql} IS NULL`];
}

function termsFrom({ sql, descending, upTo, low, high }: GroupKey): readonly string[] {
  return descending ? [`${sql} ${upTo} ${high()}`, `${sql} IS NULL`] : [`${sql} >= ${low()}`];
}

/** The last part first. */
function termsAfter({ sql, value, descending, low, high, above }: GroupKey): readonly string[] {
  if (value === null) return descending ? [] : [`${sql} IS NOT NULL`];
  return descending ? [`${sql} IS NULL`, `${sql} < ${low()}`] : [`${sql} ${above} ${high()}`];
}

/**
 * Pages after many records, in an order that the facet index has in part: it has amounts to three digits, and names as
 * ranges. An engine in memory counts the records before those that it cannot separate from the first one of the page, and
 * the database reads the order from these.
 */
import type { RecordStart } from '@vcds/facet-engine';
import {
  type EntityId,
  type IndexedId,
  indexedById,
  instantOfParts,
  measureValue,
  storedRange,
} from '@vcds/venture-model';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import { type CountCondition, isMeasure } from './count-condition.ts';
import { isBeforeKeys, positionKeys } from './index-position.ts';
import type { FirstRecordsQuery } from './indexed-order.ts';
import { instantOf } from './instant-condition.ts';
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
  readonly isNull: boolean;
  /** Whether the records of the group have equal values of this key, not only values that are stored as one. */
  readonly isExact: boolean;
  readonly descending: boolean;
  readonly sql: string;
  /** SQL of the least value that is stored so, and of the greatest one or the first one after it: null if there is none. */
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
 * Undefined if the engine has counted by no key, or by ids as well, or if no record is in the group.
 */
export function compileGroupPage(
  plan: PagePlan,
  baseUrl: string,
  { condition, order, start }: GroupStart,
): Statement | undefined {
  const { resource, orderBy, skip, top } = plan;
  if (start.id !== undefined || start.equal === 0) return undefined;
  const values = new SqlValues();
  const orderKeys = effectiveKeys(resource, orderBy, ROW);
  const keys = groupKeys(orderKeys, condition.entity.id, { order, start }, values);
  const last = keys.at(-1);
  if (last === undefined) return undefined;
  const { isExact } = last;
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

/** The keys that a position has; of the last one, if it is an instant, it may have the first parts only. */
function groupKeys(
  orderKeys: readonly OrderKey[],
  entity: EntityId,
  { order, start }: Pick<GroupStart, 'order' | 'start'>,
  values: SqlValues,
): readonly GroupKey[] {
  const keys: GroupKey[] = [];
  let at = 0;
  for (const key of orderKeys) {
    const value = start.values[at];
    const dimension = order[at]?.dimension;
    if (value === undefined || dimension === undefined) break;
    const instant = instantOf(key.field, entity);
    if (instant === undefined) {
      const exactBelow = order[at]?.exactBelow ?? Number.POSITIVE_INFINITY;
      const isExact = value === null || value < exactBelow;
      keys.push({ ...groupKey(key, dimension, value, values), isExact });
      at += 1;
    } else {
      const parts = start.values.slice(at, at + instant.parts.length).map(Number);
      const isExact = parts.length === instant.parts.length;
      keys.push({ ...instantKey(key, parts, values), isExact });
      at += parts.length;
    }
  }
  return keys;
}

/** @param parts the first ones of the instant, at least one. */
function instantKey(
  { field, descending }: OrderKey,
  parts: readonly number[],
  values: SqlValues,
): Omit<GroupKey, 'isExact'> {
  const column = (of: readonly number[]) =>
    values.add(new Date(instantOfParts(of)).toISOString(), sqlTypeOf(field));
  const next = [...parts.slice(0, -1), (parts.at(-1) ?? 0) + 1];
  return {
    ...{ isNull: false, descending, sql: sortSql(field, ROW) },
    ...{ low: () => column(parts), high: () => column(next), upTo: '<', above: '>=' },
  };
}

function groupKey(
  { field, descending }: OrderKey,
  dimension: IndexedId,
  value: number | null,
  values: SqlValues,
): Omit<GroupKey, 'isExact'> {
  const indexed = indexedById(dimension);
  const key = { isNull: value === null, descending, sql: sortSql(field, ROW) };
  const number = value ?? 0;
  if (isMeasure(indexed) && indexed.unit === 'text_range') {
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

/** Whether the values that are stored as that of the group have an end, where the order begins with the greatest. */
function isBounded({ isNull, descending, high }: GroupKey): string {
  return descending && !isNull ? `${high()} IS NOT NULL` : 'true';
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

function isEqual({ sql, isNull, low }: GroupKey): string {
  return isNull ? `${sql} IS NULL` : `${sql} = ${low()}`;
}

// Nulls are first in ascending and last in descending order.
function termsBefore({ sql, isNull, descending, low, high, above }: GroupKey): readonly string[] {
  if (isNull) return descending ? [`${sql} IS NOT NULL`] : [];
  return descending ? [`${sql} ${above} ${high()}`] : [`${sql} < ${low()}`, `${sql} IS NULL`];
}

function termsFrom({ sql, descending, upTo, low, high }: GroupKey): readonly string[] {
  return descending ? [`${sql} ${upTo} ${high()}`, `${sql} IS NULL`] : [`${sql} >= ${low()}`];
}

/** The last part first. */
function termsAfter({ sql, isNull, descending, low, high, above }: GroupKey): readonly string[] {
  if (isNull) return descending ? [] : [`${sql} IS NOT NULL`];
  return descending ? [`${sql} IS NULL`, `${sql} < ${low()}`] : [`${sql} ${above} ${high()}`];
}

/** Compiles plans to SQL: one statement, in which the database builds the JSON. */

import { compileNarrowing } from '../narrowing/sql.ts';
import { LOG_POSITION } from '../postgres/log-position.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { KeyValue, PagePosition } from './cursor.ts';
import { compileFilter, hasShortPattern } from './filter-sql.ts';
import { isOfManyRecords, PAGE_RELATED_MAX, recordJson, relatedMaxOf } from './json.ts';
import { type Boundary, effectiveKeys, ordering, partsAround, sortSql } from './order.ts';
import { type Access, PLANNED } from './order-scan.ts';
import type { CountPlan, PagePlan, ParentScope, RecordPlan } from './plan.ts';
import { keysSql, orderTerms, type PositionPart, partsAfter } from './position.ts';
import { suitsGenericPlan } from './suits-generic-plan.ts';

export const ROW = 'r';
/** Boundaries of a page by several keys; later keys are sorted. */
const BOUNDARIES_MAX = 2;
/** A page after more records reads their positions from an index, and its own rows by id. */
export const SKIP_WITH_ROWS_MAX = 500;
/** A page after more records runs among the scans: it reads all of them. */
const SKIP_SHORT_MAX = 10_000;

/**
 * The statement of a page: it reads one row more to decide whether rows follow, and `keys` is then
 * the position of the last record.
 *
 * @param baseUrl {base_url}, for the links of expanded relations.
 * @param boundaries of a page by several keys ({@link compileBoundary}): different ones change the
 *   work of the statement, not its result.
 * @param access likewise, by its sorts.
 */
export function compilePage(
  plan: PagePlan,
  baseUrl: string,
  boundaries: readonly Boundary[] = [],
  access: Access = PLANNED,
): Statement {
  const values = new SqlValues();
  const planning = boundaries.length === 0 && suitsGenericPlan(plan) ? 'generic' : 'custom';
  return pageOf(plan, baseUrl, rowsOfPage(plan, boundaries, values, access), values, planning);
}

/**
 * The statement of a page of rows in order: at least one row more than the page if there are more.
 *
 * @param rows `SELECT` of the rows
 */
export function pageOf(
  plan: PagePlan,
  baseUrl: string,
  rows: string,
  values: SqlValues,
  planning: Statement['plan'],
): Statement {
  const { resource, top } = plan;
  const terms = orderTerms(resource, plan.orderBy);
  const body = `'[' || coalesce(string_agg(page.json, ',' ORDER BY page.position), '') || ']'`;
  const text = `SELECT least(count(*), ${top})::int AS records, count(*) > ${top} AS more,
    CASE WHEN count(*) > ${top} THEN max(page.keys)::json END AS keys,
    CASE WHEN count(*) > ${top} THEN ${LOG_POSITION} END AS seen,
    ${underParent(plan.parent, body, values)} AS body
    FROM (SELECT ${ROW}.page_position AS position,
      CASE WHEN ${ROW}.page_position <= ${top} THEN ${recordJson(plan, ROW, baseUrl)} END AS json,
      CASE WHEN ${ROW}.page_position = ${top} THEN ${keysSql(terms, ROW)}::text END AS keys
      FROM (SELECT row_number() OVER () AS page_position, ${ROW}.* FROM (${rows}) AS ${ROW}) AS ${ROW}
    ) AS page`;
  return { text, values: values.values, plan: planning, scans: mayScan(plan) };
}

/**
 * The statement that returns a row if a page has more related records than {@link PAGE_RELATED_MAX};
 * it reads no more than these. Undefined if `$top` excludes that.
 */
export function compileRelatedCheck(
  plan: PagePlan,
  boundaries: readonly Boundary[],
): Statement | undefined {
  const lists = plan.expands.filter(isOfManyRecords);
  if (plan.top * relatedMaxOf(lists) <= PAGE_RELATED_MAX) return undefined;
  const values = new SqlValues();
  const related = lists.flatMap((list) =>
    list.kind === 'records'
      ? [`(SELECT 1 ${list.from(ROW)} LIMIT ${list.top} OFFSET ${list.skip})`]
      : [],
  );
  const text = `SELECT 1 AS found FROM (${rowsOfPage(plan, boundaries, values)}) AS ${ROW}
    CROSS JOIN LATERAL (${related.join(' UNION ALL ')}) AS related LIMIT 1 OFFSET ${PAGE_RELATED_MAX}`;
  return { text, values: values.values, plan: 'custom', scans: mayScan(plan) };
}

// One row more than the page.
function rowsOfPage(
  plan: PagePlan,
  boundaries: readonly Boundary[],
  values: SqlValues,
  access: Access = PLANNED,
): string {
  const { top, after } = plan;
  if (after !== undefined) return rowsAfter(plan, partsOf(plan, after, values), values, access);
  const { resource, parent, skip } = plan;
  if (skip <= SKIP_WITH_ROWS_MAX || parent !== undefined) {
    return rowsOf(plan, `${ROW}.*`, boundaries, top + 1, values, access);
  }
  const ids = rowsOf(plan, `${ROW}.id`, boundaries, top + 1, values, access);
  return `SELECT ${ROW}.* FROM (SELECT row_number() OVER () AS position, p.* FROM (${ids}) AS p) AS p
    JOIN ${resource.table} AS ${ROW} ON ${ROW}.id = p.id ORDER BY p.position`;
}

/** The parts of an order after a position. */
export function partsOf(
  { resource, orderBy }: PagePlan,
  { keys }: PagePosition,
  values: SqlValues,
) {
  return partsAfter(orderTerms(resource, orderBy), keys, ROW, values);
}

// The parts after a position. A later one is read only if the earlier ones have not filled the page,
// because a condition without columns is evaluated once, before the rows.
function rowsAfter(
  plan: PagePlan,
  parts: readonly PositionPart[],
  values: SqlValues,
  access: Access,
): string {
  const { resource, orderBy, top } = plan;
  const limit = top + 1;
  const order = ordering(resource, orderBy, ROW);
  const met = conditions(plan, values);
  const rowsThat = ({ condition, shared }: PositionPart, isShort = '') => {
    // Then the planner can use an index of the next key.
    const hasNext = shared.length > 0 && orderBy.length > 1;
    return `SELECT ${ROW}.* FROM ${from(plan, `${met} AND ${condition}${isShort}`, shared, access, values)}
      ORDER BY ${hasNext ? ordering(resource, orderBy.slice(1), ROW) : order} LIMIT ${limit}`;
  };
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return rowsThat(only);
  const names = parts.map((_, index) => `part${index}`);
  const tables = parts.map((part, index) => {
    const read = names.slice(0, index).map((name) => `(SELECT count(*) FROM ${name})`);
    const isShort = read.length === 0 ? '' : ` AND ${read.join(' + ')} < ${limit}`;
    return `${names[index]} AS MATERIALIZED (${rowsThat(part, isShort)})`;
  });
  const all = names.map((name, index) => `SELECT ${index} AS part, p.* FROM ${name} AS p`);
  return `WITH ${tables.join(', ')}
    SELECT ${ROW}.* FROM (${all.join(' UNION ALL ')}) AS ${ROW}
    ORDER BY ${ROW}.part, ${order} LIMIT ${limit}`;
}

// The parts of an order are read one after the other until the page is full. Limit and offset are
// literals: with placeholders the planner estimates a tenth of the table, and sorts it instead of
// using an index. The limit is applied before computed fields.
function rowsOf(
  plan: PagePlan,
  columns: string,
  boundaries: readonly Boundary[],
  count: number,
  values: SqlValues,
  access: Access,
): string {
  const { resource, orderBy, skip } = plan;
  const parts = partsAround(resource, orderBy, boundaries, ROW).map((part) => {
    const met = conditions(plan, values);
    const where = [met, ...part.conditions(values)].join(' AND ');
    return `SELECT ${columns} FROM ${from(plan, where, part.shared, access, values)} ORDER BY ${part.order}`;
  });
  const offset = skip === 0 ? '' : ` OFFSET ${skip}`;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return `${only} LIMIT ${count}${offset}`;
  const limited = parts.map((part) => `(${part} LIMIT ${skip + count})`);
  return `SELECT * FROM (${limited.join(' UNION ALL ')}) AS part LIMIT ${count}${offset}`;
}

// OFFSET 0 separates the filter from the order: no index of the order is read.
function from(
  { resource }: PagePlan,
  where: string,
  shared: readonly KeyValue[],
  { isSorted, sortedWithin, isGroupSorted }: Access,
  values: SqlValues,
): string {
  const table = `${resource.table} AS ${ROW}`;
  if (!isSorted) {
    const isGroup = shared.length > 0 && isGroupSorted(shared);
    return isGroup
      ? `(SELECT ${ROW}.* FROM ${table} WHERE ${where} OFFSET 0) AS ${ROW}`
      : `${table} WHERE ${where}`;
  }
  const rows =
    sortedWithin === undefined
      ? table
      : `(SELECT ${ROW}.* FROM ${table} WHERE ${resource.live(ROW)}
        AND ${compileFilter(sortedWithin, ROW, values)} OFFSET 0) AS ${ROW}`;
  return `(SELECT ${ROW}.* FROM ${rows} WHERE ${where} OFFSET 0) AS ${ROW}`;
}

/**
 * Looks up the next boundary of a page by several keys; returns one `value`, or no row if the page
 * is the last one. Undefined if the boundaries are complete, if one index has the whole order, or if
 * the rows are those of one record.
 */
export function compileBoundary(
  plan: PagePlan,
  boundaries: readonly Boundary[],
  access: Access = PLANNED,
): Statement | undefined {
  const keys = effectiveKeys(plan.resource, plan.orderBy, ROW);
  const key = keys[boundaries.length];
  const isLast = boundaries.length >= Math.min(keys.length - 1, BOUNDARIES_MAX);
  if (key === undefined || isLast || plan.parent !== undefined) return undefined;
  const values = new SqlValues();
  const { top, skip } = plan;
  const upToKey = {
    ...plan,
    ...{ orderBy: keys.slice(0, boundaries.length + 1), skip: skip + top },
  };
  const column = `(${sortSql(key.field, ROW)})::text AS value`;
  const text = rowsOf(upToKey, column, boundaries, 1, values, access);
  const isGeneric = boundaries.length === 0 && suitsGenericPlan(upToKey);
  const scans = mayScan(plan);
  return { text, values: values.values, plan: isGeneric ? 'generic' : 'custom', scans };
}

const recordTexts = new WeakMap<RecordPlan['fields'], string>();

/**
 * The statement of one record: its `body`, if it exists. Calls for records without expanded relations
 * share executions.
 *
 * @param baseUrl {base_url}, for the links of expanded relations.
 */
export function compileRecord(plan: RecordPlan, baseUrl: string): Statement {
  const { resource, fields, expands, id } = plan;
  if (expands.length > 0) {
    return { text: recordText(plan, baseUrl), values: [[id]], plan: 'generic' };
  }
  const text = recordTexts.get(fields) ?? recordText(plan, baseUrl);
  // Other arrays than this one are of one call.
  if (fields === resource.defaultFields) recordTexts.set(fields, text);
  return { text, values: [[id]], plan: 'generic', id };
}

function recordText(plan: RecordPlan, baseUrl: string): string {
  const { resource } = plan;
  return `SELECT ${ROW}.id::text AS id, ${recordJson(plan, ROW, baseUrl)} AS body
    FROM ${resource.table} AS ${ROW} WHERE ${ROW}.id = ANY ($1::uuid[]) AND ${resource.live(ROW)}`;
}

/** The conditions of a plan on the row {@link ROW}. */
export function conditions(plan: PagePlan | CountPlan, values: SqlValues): string {
  const { resource, parent, narrowed, filter } = plan;
  return [
    resource.live(ROW),
    ...(parent === undefined ? [] : [`${ROW}.${parent.column} = ${values.add(parent.id, 'uuid')}`]),
    ...(narrowed === undefined
      ? []
      : [compileNarrowing(narrowed.by, narrowed.entity, ROW, values)]),
    ...(filter === undefined ? [] : [compileFilter(filter, ROW, values)]),
  ].join(' AND ');
}

/** Whether a statement may read many rows: the filter has no index, or the page is after many others. */
export function mayScan(plan: PagePlan | CountPlan): boolean {
  if (plan.kind === 'page' && plan.skip > SKIP_SHORT_MAX) return true;
  return plan.filter !== undefined && hasShortPattern(plan.filter);
}

/** The body; null, which becomes 404, if the record in the path does not exist. */
export function underParent(
  parent: ParentScope | undefined,
  body: string,
  values: SqlValues,
): string {
  if (parent === undefined) return body;
  return `CASE WHEN EXISTS (SELECT FROM ${parent.table} c
    WHERE c.id = ${values.add(parent.id, 'uuid')} AND c.deleted_at IS NULL) THEN ${body} END`;
}

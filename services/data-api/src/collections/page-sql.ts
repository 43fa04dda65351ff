/** Compiles pages to SQL: one statement, in which the database builds the JSON. */

import { compileNarrowing } from '../narrowing/sql.ts';
import { LOG_POSITION } from '../postgres/log-position.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import { compileFilter, hasShortPattern } from './filter-sql.ts';
import { isOfManyRecords, PAGE_RELATED_MAX, recordJson, relatedMaxOf } from './json.ts';
import {
  type Boundary,
  effectiveKeys,
  keysSql,
  ordering,
  orderTerms,
  type PositionPart,
  partsAfter,
  partsAround,
  sortSql,
} from './order.ts';
import { type Access, PLANNED } from './page-access.ts';
import type { CountPlan, PagePlan, ParentScope } from './plan.ts';

export const ROW = 'r';
/** Boundaries of a page by several keys; later keys are sorted. */
const BOUNDARIES_MAX = 2;
/** A page after more records reads their positions from an index, and its own rows by id. */
const SKIP_WITH_ROWS_MAX = 500;
/** A page after more records runs among the scans: it reads all of them. */
const SKIP_SHORT_MAX = 10_000;

type InOrder = Extract<Access, { kind: 'inOrder' }>;

/**
 * The statement of a page: it reads one row more to decide whether rows follow, and `keys` is then
 * the position of the last record. Read in order, and without `more`, it is not the page.
 *
 * @param baseUrl {base_url}, for the links of expanded relations.
 * @param access and
 * @param boundaries of a page by several keys ({@link compileBoundary}): different ones change the
 *   work of the statement, not its result.
 */
export function compilePage(
  plan: PagePlan,
  baseUrl: string,
  access: Access = PLANNED,
  boundaries: readonly Boundary[] = [],
): Statement {
  const { resource, top } = plan;
  const values = new SqlValues();
  const rows = rowsOfPage(plan, access, boundaries, values);
  const keys = keysSql(orderTerms(resource, plan.orderBy), ROW);
  const body = `'[' || coalesce(string_agg(page.json, ',' ORDER BY page.position), '') || ']'`;
  const text = `SELECT least(count(*), ${top})::int AS records, count(*) > ${top} AS more,
    CASE WHEN count(*) > ${top} THEN max(page.keys)::json END AS keys,
    CASE WHEN count(*) > ${top} THEN ${LOG_POSITION} END AS seen,
    ${underParent(plan.parent, body, values)} AS body
    FROM (SELECT ${ROW}.page_position AS position,
      CASE WHEN ${ROW}.page_position <= ${top} THEN ${recordJson(plan, ROW, baseUrl)} END AS json,
      CASE WHEN ${ROW}.page_position = ${top} THEN ${keys}::text END AS keys
      FROM (SELECT row_number() OVER () AS page_position, ${ROW}.* FROM (${rows}) AS ${ROW}) AS ${ROW}
    ) AS page`;
  const planning = boundaries.length === 0 ? planningOf(access) : 'custom';
  return { text, values: values.values, plan: planning, scans: mayScan(plan) };
}

function planningOf(access: Access): Statement['plan'] {
  if (access.kind === 'planned') return access.planning;
  return access.kind === 'inOrder' ? 'generic' : 'custom';
}

/**
 * Looks up the next boundary of a page by several keys; returns one `value`, or no row if the page
 * is the last one, or is not full within the rows that are read in order. Undefined if the boundaries
 * are complete, if one index has the whole order, if the rows are sorted, or if they are those of one record.
 */
export function compileBoundary(
  plan: PagePlan,
  access: Access,
  boundaries: readonly Boundary[],
): Statement | undefined {
  const keys = effectiveKeys(plan.resource, plan.orderBy, ROW);
  const key = keys[boundaries.length];
  const isLast = boundaries.length >= Math.min(keys.length - 1, BOUNDARIES_MAX);
  const isWhole = plan.parent !== undefined || plan.after !== undefined;
  if (key === undefined || isLast || isWhole || access.kind === 'sorted') return undefined;
  const values = new SqlValues();
  const orderBy = keys.slice(0, boundaries.length + 1);
  const upToKey = { ...plan, orderBy, skip: plan.skip + plan.top };
  const isFirst = boundaries.length === 0;
  const column = `(${sortSql(key.field, ROW)})::text AS value`;
  const text =
    isFirst && access.kind === 'inOrder'
      ? rowsInOrder(upToKey, access, column, 1, values)
      : rowsOf(upToKey, PLANNED, column, boundaries, 1, values);
  const planning = isFirst ? planningOf(access) : 'custom';
  return { text, values: values.values, plan: planning, scans: mayScan(plan) };
}

/**
 * The statement that returns a row if a page has more related records than {@link PAGE_RELATED_MAX};
 * it reads no more than these. Undefined if `$top` excludes that.
 */
export function compileRelatedCheck(
  plan: PagePlan,
  access: Access,
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
  const text = `SELECT 1 AS found FROM (${rowsOfPage(plan, access, boundaries, values)}) AS ${ROW}
    CROSS JOIN LATERAL (${related.join(' UNION ALL ')}) AS related LIMIT 1 OFFSET ${PAGE_RELATED_MAX}`;
  return { text, values: values.values, plan: 'custom', scans: mayScan(plan) };
}

// One row more than the page.
function rowsOfPage(
  plan: PagePlan,
  access: Access,
  boundaries: readonly Boundary[],
  values: SqlValues,
): string {
  const { resource, parent, top, skip, after } = plan;
  if (access.kind === 'inOrder' && boundaries.length === 0) {
    return rowsInOrder(plan, access, `${ROW}.*`, top + 1, values);
  }
  if (after !== undefined) return rowsAfter(plan, access, partsOf(plan, values), values);
  if (skip <= SKIP_WITH_ROWS_MAX || parent !== undefined) {
    return rowsOf(plan, access, `${ROW}.*`, boundaries, top + 1, values);
  }
  const ids = rowsOf(plan, access, `${ROW}.id`, boundaries, top + 1, values);
  return `SELECT ${ROW}.* FROM (SELECT row_number() OVER () AS position, p.* FROM (${ids}) AS p) AS p
    JOIN ${resource.table} AS ${ROW} ON ${ROW}.id = p.id ORDER BY p.position`;
}

// The inner limit keeps the filter out of the choice of the index: whatever it excludes, the order is read.
function rowsInOrder(
  plan: PagePlan,
  { rowsMax, within }: InOrder,
  columns: string,
  count: number,
  values: SqlValues,
): string {
  const { resource, orderBy, skip, filter } = plan;
  const [part] = partsOf(plan, values);
  const met = [
    resource.live(ROW),
    ...within.map((term) => compileFilter(term, ROW, values)),
    ...(part === undefined ? [] : [part.condition]),
  ].join(' AND ');
  return `SELECT ${columns} FROM (SELECT ${ROW}.* FROM ${resource.table} AS ${ROW} WHERE ${met}
      ORDER BY ${ordering(resource, orderBy, ROW)} LIMIT ${rowsMax}) AS ${ROW}
    WHERE ${filter === undefined ? 'true' : compileFilter(filter, ROW, values)}
    LIMIT ${count}${skip === 0 ? '' : ` OFFSET ${skip}`}`;
}

function partsOf({ resource, orderBy, after }: PagePlan, values: SqlValues) {
  return after === undefined
    ? []
    : partsAfter(orderTerms(resource, orderBy), after.keys, ROW, values);
}

// The parts after a position. A later one is read only if the earlier ones have not filled the page,
// because a condition without columns is evaluated once, before the rows.
function rowsAfter(
  plan: PagePlan,
  access: Access,
  parts: readonly PositionPart[],
  values: SqlValues,
): string {
  const { resource, orderBy, top } = plan;
  const limit = top + 1;
  const order = ordering(resource, orderBy, ROW);
  const met = conditions(plan, values);
  const rowsThat = ({ condition, isOfOneValue }: PositionPart, isShort = '') => {
    // Then the planner can use an index of the next key.
    const next = isOfOneValue && orderBy.length > 1 ? orderBy.slice(1) : orderBy;
    return `SELECT ${ROW}.* FROM ${from(plan, access, `${met} AND ${condition}${isShort}`)}
      ORDER BY ${ordering(resource, next, ROW)} LIMIT ${limit}`;
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
  access: Access,
  columns: string,
  boundaries: readonly Boundary[],
  count: number,
  values: SqlValues,
): string {
  const { resource, orderBy, skip } = plan;
  const parts = partsAround(resource, orderBy, boundaries, ROW).map((part) => {
    const where = [conditions(plan, values), ...part.conditions(values)].join(' AND ');
    return `SELECT ${columns} FROM ${from(plan, access, where)} ORDER BY ${part.order}`;
  });
  const offset = skip === 0 ? '' : ` OFFSET ${skip}`;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return `${only} LIMIT ${count}${offset}`;
  const limited = parts.map((part) => `(${part} LIMIT ${skip + count})`);
  return `SELECT * FROM (${limited.join(' UNION ALL ')}) AS part LIMIT ${count}${offset}`;
}

// OFFSET 0 separates the filter from the order: no index of the order is read.
function from({ resource }: PagePlan, { kind }: Access, where: string): string {
  const rows = `${resource.table} AS ${ROW} WHERE ${where}`;
  return kind === 'sorted' ? `(SELECT ${ROW}.* FROM ${rows} OFFSET 0) AS ${ROW}` : rows;
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

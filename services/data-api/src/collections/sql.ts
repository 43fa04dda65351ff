/** Compiles plans to SQL: one statement, in which the database builds the JSON. */

import { compileNarrowing } from '../narrowing/sql.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import { compileFilter, hasShortPattern } from './filter-sql.ts';
import { recordJson } from './json.ts';
import { type Boundary, effectiveKeys, partsAround, sortSql } from './order.ts';
import type { CollectionPlan, CountPlan, PagePlan, ParentScope, RecordPlan } from './plan.ts';
import { suitsGenericPlan } from './suits-generic-plan.ts';

const ROW = 'r';
/** Boundaries of a page by several keys; later keys are sorted. */
const BOUNDARIES_MAX = 2;

/**
 * The statement of a plan.
 *
 * @param boundaries of a page by several keys ({@link compileBoundary}): different ones change the
 *   work of the statement, not its result.
 */
export function compileCollection(
  plan: CollectionPlan,
  boundaries: readonly Boundary[] = [],
): Statement {
  switch (plan.kind) {
    case 'page':
      return compilePage(plan, boundaries);
    case 'count':
      return compileCount(plan);
    case 'record':
      return compileRecord(plan);
  }
}

// Reads one row more than the page to decide whether rows follow. The subquery applies the limit
// before computed fields. Limit and offset are literals: with placeholders the planner estimates a
// tenth of the table, and sorts it instead of using an index.
function compilePage(plan: PagePlan, boundaries: readonly Boundary[]): Statement {
  const values = new SqlValues();
  const rows = rowsOf(plan, `${ROW}.*`, boundaries, plan.top + 1, values);
  const text = `SELECT least(count(*), ${plan.top})::int AS records, count(*) > ${plan.top} AS more,
    '[' || coalesce(string_agg(page.json, ',' ORDER BY page.position)
      FILTER (WHERE page.position <= ${plan.top}), '') || ']' AS body
    FROM (SELECT row_number() OVER () AS position,
      ${recordJson(plan.fields, plan.expands, ROW)}::text AS json FROM (${rows}) AS ${ROW}) AS page`;
  return {
    text: underParent(plan.parent, text, values),
    values: values.values,
    plan: boundaries.length === 0 && suitsGenericPlan(plan) ? 'generic' : 'custom',
    scans: mayScan(plan),
  };
}

// The parts of an order are read one after the other until the page is full.
function rowsOf(
  plan: PagePlan,
  columns: string,
  boundaries: readonly Boundary[],
  count: number,
  values: SqlValues,
): string {
  const { resource, orderBy, skip } = plan;
  const parts = partsAround(resource, orderBy, boundaries, ROW).map((part) => {
    const where = [conditions(plan, values), ...part.conditions(values)].join(' AND ');
    return `SELECT ${columns} FROM ${resource.table} AS ${ROW} WHERE ${where} ORDER BY ${part.order}`;
  });
  const offset = skip === 0 ? '' : ` OFFSET ${skip}`;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return `${only} LIMIT ${count}${offset}`;
  const limited = parts.map((part) => `(${part} LIMIT ${skip + count})`);
  return `SELECT * FROM (${limited.join(' UNION ALL ')}) AS part LIMIT ${count}${offset}`;
}

/**
 * Looks up the next boundary of a page by several keys; returns one `value`, or no row if the page
 * is the last one. Undefined if the boundaries are complete, if one index has the whole order, or if
 * the rows are those of one record.
 */
export function compileBoundary(
  plan: PagePlan,
  boundaries: readonly Boundary[],
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
  const text = rowsOf(upToKey, column, boundaries, 1, values);
  const isGeneric = boundaries.length === 0 && suitsGenericPlan(upToKey);
  const scans = mayScan(plan);
  return { text, values: values.values, plan: isGeneric ? 'generic' : 'custom', scans };
}

function compileCount(plan: CountPlan): Statement {
  const values = new SqlValues();
  const text = `SELECT 0 AS records, false AS more,
    '{"count":' || count(*) || '}' AS body
    FROM ${plan.resource.table} AS ${ROW} WHERE ${conditions(plan, values)}`;
  return {
    text: underParent(plan.parent, text, values),
    values: values.values,
    plan: suitsGenericPlan(plan) ? 'generic' : 'custom',
    scans: mayScan(plan),
  };
}

function compileRecord(plan: RecordPlan): Statement {
  const values = new SqlValues();
  const text = `SELECT count(*)::int AS records, false AS more,
    max(${recordJson(plan.fields, plan.expands, ROW)}::text) AS body
    FROM ${plan.resource.table} AS ${ROW}
    WHERE ${ROW}.id = ${values.add(plan.id, 'uuid')} AND ${plan.resource.live(ROW)}`;
  return { text, values: values.values, plan: 'generic' };
}

function conditions(plan: PagePlan | CountPlan, values: SqlValues): string {
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

function mayScan({ filter }: PagePlan | CountPlan): boolean {
  return filter !== undefined && hasShortPattern(filter);
}

// If the record in the path does not exist, the body is null, which becomes 404.
function underParent(parent: ParentScope | undefined, text: string, values: SqlValues): string {
  if (parent === undefined) return text;
  return `SELECT a.records, a.more, CASE WHEN EXISTS (
      SELECT FROM ${parent.table} c
      WHERE c.id = ${values.add(parent.id, 'uuid')} AND c.deleted_at IS NULL
    ) THEN a.body END AS body FROM (${text}) AS a`;
}

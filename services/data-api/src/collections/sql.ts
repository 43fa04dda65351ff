/** Plans as SQL: one statement that lets the database build the answer's JSON. */

import { compileNarrowing, isNarrowingPlannedOnce } from '../narrowing/sql.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { Resource, ResourceField } from '../resources/index.ts';
import { compileFilter, hasShortPattern, isPlannedOnce } from './filter-sql.ts';
import { recordJson } from './json.ts';
import type {
  CollectionPlan,
  CountPlan,
  OrderKey,
  PagePlan,
  ParentScope,
  RecordPlan,
} from './plan.ts';

const ROW = 'r';

/** The statement of a plan. */
export function compileCollection(plan: CollectionPlan): Statement {
  switch (plan.kind) {
    case 'page':
      return compilePage(plan);
    case 'count':
      return compileCount(plan);
    case 'record':
      return compileRecord(plan);
  }
}

// One row more than the page tells whether rows follow. The page is cut before anything is
// computed for its rows. Limit and offset are literals: with placeholders the planner would expect
// a tenth of the table and sort it instead of walking an index.
function compilePage(plan: PagePlan): Statement {
  const values = new SqlValues();
  const rows = `SELECT ${ROW}.* FROM ${plan.resource.table} AS ${ROW}
    WHERE ${conditions(plan, values)}
    ORDER BY ${ordering(plan.resource, plan.orderBy)}
    LIMIT ${plan.top + 1}${plan.skip === 0 ? '' : ` OFFSET ${plan.skip}`}`;
  const text = `SELECT least(count(*), ${plan.top})::int AS records, count(*) > ${plan.top} AS more,
    '[' || coalesce(string_agg(page.json, ',' ORDER BY page.position)
      FILTER (WHERE page.position <= ${plan.top}), '') || ']' AS body
    FROM (SELECT row_number() OVER () AS position,
      ${recordJson(plan.fields, plan.expands, ROW)}::text AS json FROM (${rows}) AS ${ROW}) AS page`;
  return {
    text: underParent(plan.parent, text, values),
    values: values.values,
    recurs: plan.skip === 0 && hasOnePlan(plan),
    scans: mayScan(plan),
  };
}

function compileCount(plan: CountPlan): Statement {
  const values = new SqlValues();
  const text = `SELECT 0 AS records, false AS more,
    '{"count":' || count(*) || '}' AS body
    FROM ${plan.resource.table} AS ${ROW} WHERE ${conditions(plan, values)}`;
  return {
    text: underParent(plan.parent, text, values),
    values: values.values,
    recurs: hasOnePlan(plan),
    scans: mayScan(plan),
  };
}

function compileRecord(plan: RecordPlan): Statement {
  const values = new SqlValues();
  const text = `SELECT count(*)::int AS records, false AS more,
    max(${recordJson(plan.fields, plan.expands, ROW)}::text) AS body
    FROM ${plan.resource.table} AS ${ROW}
    WHERE ${ROW}.id = ${values.add(plan.id, 'uuid')} AND ${plan.resource.live(ROW)}`;
  return { text, values: values.values, recurs: true };
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

function hasOnePlan({ filter, narrowed }: PagePlan | CountPlan): boolean {
  return (
    (filter === undefined || isPlannedOnce(filter)) &&
    (narrowed === undefined || isNarrowingPlannedOnce(narrowed.by, narrowed.entity))
  );
}

function mayScan({ filter }: PagePlan | CountPlan): boolean {
  return filter !== undefined && hasShortPattern(filter);
}

// Ascending puts nulls first and descending last, so that one index serves both ways; the tie
// break takes the direction of the last key for the same reason.
function ordering(resource: Resource, keys: readonly OrderKey[]): string {
  const way = (descending: boolean) => (descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST');
  const written = keys.map(({ field, descending }) => `${sortSql(field)} ${way(descending)}`);
  const last = keys.at(-1)?.descending ?? false;
  return [...written, `${ROW}.${resource.tieBreak} ${last ? 'DESC' : 'ASC'}`].join(', ');
}

function sortSql(field: ResourceField): string {
  if (field.match?.kind !== 'column') throw new TypeError(`${field.name} cannot be sorted.`);
  const sql = field.match.sql(ROW);
  return field.type === 'text' ? `${sql} COLLATE venture.text_order` : sql;
}

// A record in the path that is not there makes the body null, which answers 404.
function underParent(parent: ParentScope | undefined, text: string, values: SqlValues): string {
  if (parent === undefined) return text;
  return `SELECT a.records, a.more, CASE WHEN EXISTS (
      SELECT FROM ${parent.table} c WHERE c.id = ${values.add(parent.id, 'uuid')} AND c.deleted_at IS NULL
    ) THEN a.body END AS body FROM (${text}) AS a`;
}

/** Compiles plans to SQL: one statement, in which the database builds the JSON. */

import { compileNarrowing } from '../narrowing/sql.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { Resource, ResourceField } from '../resources/index.ts';
import { compileFilter, hasShortPattern } from './filter-sql.ts';
import { recordJson } from './json.ts';
import type {
  CollectionPlan,
  CountPlan,
  OrderKey,
  PagePlan,
  ParentScope,
  RecordPlan,
} from './plan.ts';
import { suitsGenericPlan } from './suits-generic-plan.ts';

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

// Reads one row more than the page to decide whether rows follow. The subquery applies the limit
// before computed fields. Limit and offset are literals: with placeholders the planner estimates a
// tenth of the table, and sorts it instead of using an index.
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
    plan: suitsGenericPlan(plan) ? 'generic' : 'custom',
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

// Nulls are first in ascending and last in descending order, so that one index serves both; the tie
// break has the direction of the last key for the same reason. Keys after the tie break order nothing.
function ordering(resource: Resource, keys: readonly OrderKey[]): string {
  const tieBreak = `${ROW}.${resource.tieBreak}`;
  const written: string[] = [];
  for (const { field, descending } of keys) {
    const sql = sortSql(field);
    if (sql === tieBreak) return [...written, `${sql} ${descending ? 'DESC' : 'ASC'}`].join(', ');
    written.push(`${sql} ${descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`);
  }
  const last = keys.at(-1)?.descending ?? false;
  return [...written, `${tieBreak} ${last ? 'DESC' : 'ASC'}`].join(', ');
}

function sortSql(field: ResourceField): string {
  if (field.match?.kind !== 'column') throw new TypeError(`${field.name} cannot be sorted.`);
  const sql = field.match.sql(ROW);
  return field.type === 'text' ? `${sql} COLLATE venture.text_order` : sql;
}

// If the record in the path does not exist, the body is null, which becomes 404.
function underParent(parent: ParentScope | undefined, text: string, values: SqlValues): string {
  if (parent === undefined) return text;
  return `SELECT a.records, a.more, CASE WHEN EXISTS (
      SELECT FROM ${parent.table} c
      WHERE c.id = ${values.add(parent.id, 'uuid')} AND c.deleted_at IS NULL
    ) THEN a.body END AS body FROM (${text}) AS a`;
}

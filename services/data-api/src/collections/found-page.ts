import type { RecordStart } from '@vcds/facet-engine';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { CountCondition, IndexCondition } from './count-condition.ts';
import { hasKeys, isBeforeKeys, positionKeys } from './index-position.ts';
import type { FirstRecordsQuery } from './indexed-order.ts';
import { ordering } from './order.ts';
import type { PagePlan } from './plan.ts';
import { orderTerms, partsAfter } from './position.ts';
import { conditions, pageOf, ROW } from './sql.ts';
import { compileLoggedIds, countLoggedCodes, isLogLong } from './stored-count.ts';

/** Rows after the page that are read to see that one of them is not in the log. */
const FOLLOWING_MAX = 100;

/** Records that the facet index has found: those of a page, if no record has changed since. */
export interface FoundRecords {
  readonly condition: CountCondition;
  /** The keys that the index has, and the order of ids where these are equal. */
  readonly query: Pick<FirstRecordsQuery, 'order' | 'ids'>;
  readonly ids: readonly string[];
  /** The position before which matches of the index are left out; undefined if none are. */
  readonly start: RecordStart | undefined;
  /** Whether no match of the index follows these. */
  readonly isAll: boolean;
}

/** The columns of {@link compileFoundPage} beside those of a page. */
export interface FoundPageColumns {
  /** Of the facet index in the snapshot of the statement. */
  readonly version: string;
  /** Whether too many changes are only in the log of the index. */
  readonly isBehind: boolean;
  /** Whether the page has all its records, provided the version is the one that was searched. */
  readonly isWhole: boolean;
}

/**
 * The statement of the page of records that were found and of those in the log of the facet index,
 * which may match as well. It tests the conditions and sorts again.
 *
 * Records that are not in the log are as the index has them: those that are left out are before all that were found, and the
 * others after. So the page is whole if one that was found follows it, and if some are left out, one is its first or before it.
 */
export function compileFoundPage(
  plan: PagePlan,
  baseUrl: string,
  { condition, query, ids: foundIds, start, isAll }: FoundRecords,
): Statement {
  const { resource, orderBy, skip, top } = plan;
  const values = new SqlValues();
  const logged = compileLoggedIds(condition);
  const found = values.add(foundIds, 'uuid[]');
  const order = ordering(resource, orderBy, ROW);
  const isLogged = `${ROW}.id = ANY (${logged})`;
  // Records in the log are among the rows, wherever the index has them.
  const offset =
    start === undefined
      ? String(skip)
      : `${skip - start.before} + ${loggedBefore(condition, query, start, values)}`;
  const isAfterFound =
    start === undefined
      ? 'true'
      : `bool_or(NOT ${isLogged}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
  // OFFSET 0: the rows are looked up by id, whatever the planner expects of the conditions.
  // None of them for a long log, because the page is then not used.
  const ids = `CASE WHEN ${isLogLong(condition)} THEN '{}' ELSE ${found} || ${logged} END`;
  const rows = `SELECT ${ROW}.*, ${isAfterFound} AS is_after_found FROM (
      SELECT * FROM ${resource.table} AS t WHERE t.id = ANY (${ids}) OFFSET 0) AS ${ROW}
    WHERE ${conditions(plan, values)}${positionSql(plan, values)}
    ORDER BY ${order} LIMIT ${top + FOLLOWING_MAX} OFFSET ${offset}`;
  const follows = `coalesce(max(page.position) FILTER (WHERE NOT page.is_logged), 0) > ${top}`;
  const begins = 'coalesce(bool_or(page.is_after_found) FILTER (WHERE page.position = 1), true)';
  return pageOf(plan, baseUrl, rows, values, 'generic', {
    row: `${isLogged} AS is_logged, ${ROW}.is_after_found`,
    page: `coalesce((SELECT version FROM venture.facet_state), 0) AS version,
      ${isLogLong(condition)} AS "isBehind", (${isAll ? 'true' : follows}) AND ${begins} AS "isWhole"`,
  });
}

/** SQL of the number of records in the log that the index has before a position. */
function loggedBefore(
  condition: CountCondition,
  { order, ids }: FoundRecords['query'],
  start: RecordStart,
  values: SqlValues,
): string {
  const keys = positionKeys(order, start);
  const count = (where: IndexCondition, extra?: string) =>
    countLoggedCodes(
      { ...condition, where: { kind: 'and', of: [condition.where, where] } },
      values,
      extra,
    );
  const before = count(isBeforeKeys(keys));
  if (start.id === undefined) return before;
  const upToId = `f.id ${ids === 'descending' ? '>=' : '<='} ${values.add(start.id, 'uuid')}`;
  return `${before} + ${count(hasKeys(keys), upToId)}`;
}

function positionSql({ resource, orderBy, after }: PagePlan, values: SqlValues): string {
  if (after === undefined) return '';
  const parts = partsAfter(orderTerms(resource, orderBy), after.keys, ROW, values);
  return ` AND (${parts.map(({ condition }) => condition).join(' OR ')})`;
}

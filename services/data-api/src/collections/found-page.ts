import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { CountCondition } from './count-condition.ts';
import { ordering } from './order.ts';
import type { PagePlan } from './plan.ts';
import { orderTerms, partsAfter } from './position.ts';
import { conditions, pageOf, ROW } from './sql.ts';
import { compileLoggedIds, isLong } from './stored-count.ts';

/** Rows after the page that are read to see that one of them is not in the log. */
const FOLLOWING_MAX = 100;

/** Records that the facet index has found: those of a page, if no record has changed since. */
export interface FoundRecords {
  readonly condition: CountCondition;
  readonly ids: readonly string[];
  /** How many of the first matches of the index are left out. */
  readonly skipped: number;
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
 * The other records are as the index has them, and those of them that were not found are after all
 * that were. So the page is whole if a record that is not in the log follows it; if records before the page are left
 * out, only with an empty log.
 */
export function compileFoundPage(
  plan: PagePlan,
  baseUrl: string,
  { condition, ids: foundIds, skipped, isAll }: FoundRecords,
): Statement {
  const { resource, orderBy, skip, top } = plan;
  const values = new SqlValues();
  const logged = compileLoggedIds(condition);
  const found = values.add(foundIds, 'uuid[]');
  // OFFSET 0: the rows are looked up by id, whatever the planner expects of the conditions.
  // None of them for a long log, because the page is then not used.
  const ids = `CASE WHEN ${isLong(condition)} THEN '{}' ELSE ${found} || ${logged} END`;
  const rows = `SELECT ${ROW}.* FROM (
      SELECT * FROM ${resource.table} AS t WHERE t.id = ANY (${ids}) OFFSET 0) AS ${ROW}
    WHERE ${conditions(plan, values)}${positionSql(plan, values)}
    ORDER BY ${ordering(resource, orderBy, ROW)} LIMIT ${top + FOLLOWING_MAX} OFFSET ${skip - skipped}`;
  const follows = `coalesce(max(page.position) FILTER (WHERE NOT page.is_logged), 0) > ${top}`;
  const isLogEmpty = skipped === 0 ? '' : ` AND cardinality(${logged}) = 0`;
  return pageOf(plan, baseUrl, rows, values, 'generic', {
    row: `${ROW}.id = ANY (${logged}) AS is_logged`,
    page: `coalesce((SELECT version FROM venture.facet_state), 0) AS version,
      ${isLong(condition)} AS "isBehind", (${isAll ? 'true' : follows})${isLogEmpty} AS "isWhole"`,
  });
}

function positionSql({ resource, orderBy, after }: PagePlan, values: SqlValues): string {
  if (after === undefined) return '';
  const parts = partsAfter(orderTerms(resource, orderBy), after.keys, ROW, values);
  return ` AND (${parts.map(({ condition }) => condition).join(' OR ')})`;
}

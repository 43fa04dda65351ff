/** The rows after many skipped ones, read from the end of their order that is nearer to them. */
import type { SqlValues } from '../postgres/sql-values.ts';
import { conditionOf } from './count-condition.ts';
import type { PagePlan } from './plan.ts';
import { compileStoredCount } from './stored-count.ts';

/** Rows of a page in the order of its collection or the reverse one. */
export interface Slice {
  readonly isReversed: boolean;
  /** The conditions of the rows, and one without columns: whether the slice is read. */
  readonly conditions: string;
  readonly limit: string;
  readonly offset: string;
}

/**
 * SQL of the ids of `count` rows after the skipped ones. If the number of all rows is stored and most
 * are skipped, the order is read from its end. The number is exact, because one statement reads
 * it, the changes that it lacks and the rows in one snapshot.
 *
 * @param conditionsOf the conditions of the rows with the alias `row`.
 * @param idsOf SQL of the ids of a slice.
 * @returns undefined if the number is not stored.
 */
export function idsFromNearerEnd(
  plan: PagePlan,
  count: number,
  { row, conditionsOf }: { readonly row: string; readonly conditionsOf: () => string },
  values: SqlValues,
  idsOf: (slice: Slice) => string,
): string | undefined {
  const { resource, skip } = plan;
  const condition = conditionOf(plan);
  // Of a range, each value has a stored count.
  const isSum = condition?.where.kind === 'range' || condition?.rounded !== undefined;
  if (condition === undefined || isSum) return undefined;
  let met = '';
  // Its values become parameters, each of which the statement must use.
  const rowsOf = () => {
    met = conditionsOf();
    const indexed = { conditions: met, gap: undefined };
    return { table: resource.table, row, conditions: met, indexed };
  };
  const stored = compileStoredCount(condition, rowsOf, values);
  if (stored === undefined) return undefined;
  const ofEnd = (sql: string) => `(SELECT ${sql} FROM of_end AS e)`;
  const forward = idsOf({
    isReversed: false,
    conditions: `${met} AND ${ofEnd('e.taken IS NULL')}`,
    limit: String(count),
    offset: String(skip),
  });
  const backward = idsOf({
    isReversed: true,
    conditions: `${met} AND ${ofEnd('e.taken IS NOT NULL')}`,
    limit: ofEnd('e.taken'),
    offset: ofEnd('e.skipped'),
  });
  // Without LIMIT the planner would expect a tenth of all rows of the backward slice.
  return `WITH number AS MATERIALIZED (SELECT ${stored.indexed} AS rows),
    of_end AS MATERIALIZED (
      SELECT CASE WHEN n.rows < ${2 * skip} THEN greatest(least(n.rows - ${skip}, ${count}), 0) END AS taken,
        greatest(n.rows - ${skip + count}, 0) AS skipped FROM number AS n)
    SELECT e.id FROM (
      SELECT row_number() OVER () AS position, f.id FROM (${forward}) AS f
      UNION ALL SELECT -row_number() OVER (), b.id FROM (${backward}) AS b) AS e
    ORDER BY e.position LIMIT ${count}`;
}

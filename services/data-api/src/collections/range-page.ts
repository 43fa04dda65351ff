/**
 * Pages after many records of all of them, in the order of a text. The facet index has the ranges of texts: an engine in
 * memory counts the records before the range of the page, and the database reads the order from there.
 */
import type { IndexedId } from '@vcds/venture-model';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { CountCondition } from './count-condition.ts';
import { effectiveKeys, ordering, sortSql } from './order.ts';
import type { PagePlan } from './plan.ts';
import { conditions, pageOf, ROW, rowsOfIds } from './sql.ts';
import { compileCorrection } from './stored-count.ts';

/** The range of the first record of a page. */
export interface RangeStart {
  /** Of all records. */
  readonly condition: CountCondition;
  readonly dimension: IndexedId;
  /** The number of the range. */
  readonly number: number;
  /** How many records were before the range in the version of the index that was searched. */
  readonly before: number;
}

/**
 * The statement of the page, with the columns of `FoundPageColumns`. It corrects the number of records before the range
 * by those in the log of the index. The page is whole unless these moved its first record before the range, or the range
 * has no end.
 */
export function compileRangePage(
  plan: PagePlan,
  baseUrl: string,
  { condition, dimension, number, before }: RangeStart,
): Statement {
  const { resource, orderBy, skip, top } = plan;
  const [key] = effectiveKeys(resource, orderBy, ROW);
  if (key === undefined) throw new TypeError('The order has no keys.');
  const { descending } = key;
  const values = new SqlValues();
  const met = conditions(plan, values);
  const text = sortSql(key.field, ROW);
  // In descending order the range begins with the text before the next range.
  const range = values.add(number + (descending ? 1 : 0), 'integer');
  const bound = `(SELECT t.first FROM venture.text_range AS t WHERE t.number = ${range})`;
  const isBefore = `${met} AND ${text} ${descending ? '>=' : '<'} ${bound}`;
  const correction = compileCorrection(
    {
      ...condition,
      where: {
        ...{ kind: 'range', dimension },
        least: descending ? number + 1 : null,
        most: descending ? null : number - 1,
      },
    },
    {
      ...{ table: resource.table, row: ROW, conditions: isBefore },
      indexed: { conditions: isBefore, gap: undefined },
    },
    values,
  );
  const skipped = `${values.add(skip - before, 'bigint')} - i.correction`;
  const start = (column: string) => `(SELECT s.${column} FROM start AS s)`;
  const ids = `SELECT ${ROW}.id FROM ${resource.table} AS ${ROW}
    WHERE ${met} AND ${start('is_whole')} AND ${text} ${descending ? '<' : '>='} ${bound}
    ORDER BY ${ordering(resource, orderBy, ROW)} LIMIT ${top + 1} OFFSET ${start('skipped')}`;
  return pageOf(plan, baseUrl, rowsOfIds(resource, ids), values, 'generic', {
    with: `WITH facet_index AS MATERIALIZED (${correction}), start AS MATERIALIZED (
      SELECT i.version, i.correction IS NULL AS is_behind, greatest(${skipped}, 0) AS skipped,
        coalesce(${skipped} >= 0, false) AND ${bound} IS NOT NULL AS is_whole FROM facet_index AS i)`,
    page: `${start('version')} AS version, ${start('is_behind')} AS "isBehind", ${start('is_whole')} AS "isWhole"`,
  });
}

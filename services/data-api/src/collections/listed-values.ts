import type { BoundFilter } from '@vcds/odata-query';
import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Listed, ResourceField } from '../resources/index.ts';
import { patternSql } from './filter-sql.ts';

type Filter = BoundFilter<ResourceField>;
type Like = Extract<Filter, { kind: 'like' }>;

/** The values of a dimension that match a pattern when they were read; records may have others since. */
export interface ListedValues {
  readonly values: readonly string[];
  /** Records of later batches may have later values. */
  readonly version: string;
  /** So may those of the log after this position, which are not indexed yet. */
  readonly position: string;
}

/** A pattern; with the values that match it, its records are found by an index. */
export type ListedLike = Like & { readonly found?: ListedValues };

/** With more values, rows are compared with the pattern, which costs less. */
const VALUES_MAX = 250;
/** With more rows in the log, too. */
const LOGGED_MAX = 100_000;

/**
 * The plan with the matching values of each pattern on a field of a dimension, of which there are few
 * compared with records; unchanged without such a pattern.
 *
 * @throws ApiError `unavailable`.
 */
export async function withListedValues<Plan extends { readonly filter: Filter | undefined }>(
  plan: Plan,
  database: Pick<Database, 'rows'>,
): Promise<Plan> {
  const patterns = plan.filter === undefined ? [] : patternsIn(plan.filter);
  if (plan.filter === undefined || patterns.length === 0) return plan;
  const sql = new SqlValues();
  const lists = patterns.map(([{ pattern }, { dimension }]) => {
    const matching = `SELECT d.value FROM venture.dimension_value AS d
      WHERE d.dimension = ${dimension} AND d.folded LIKE ${patternSql(pattern, sql)}`;
    return `(SELECT CASE WHEN count(*) <= ${VALUES_MAX} THEN coalesce(json_agg(m.value), '[]') END
      FROM (${matching} LIMIT ${VALUES_MAX + 1}) AS m)`;
  });
  const text = `SELECT s.version::text, s.position::text, json_build_array(${lists.join(', ')}) AS lists,
      (SELECT count(*) FROM (SELECT FROM venture.facet_change AS c WHERE c.position > s.position
        LIMIT ${LOGGED_MAX + 1}) AS c) <= ${LOGGED_MAX} AS "isIndexed"
    FROM (SELECT coalesce(max(version), 0) AS version, coalesce(max(applied_to), 0) AS position
      FROM venture.facet_state) AS s`;
  const [row] = await database.rows<Row>({ text, values: sql.values, plan: 'custom' });
  if (row?.isIndexed !== true) return plan;
  const found = new Map<Filter, ListedValues>();
  for (const [index, [like]] of patterns.entries()) {
    const values = row.lists[index];
    if (values) found.set(like, { values, version: row.version, position: row.position });
  }
  return { ...plan, filter: withFound(plan.filter, found) };
}

interface Row {
  readonly version: string;
  readonly position: string;
  readonly lists: readonly (readonly string[] | null)[];
  readonly isIndexed: boolean;
}

/** The dimension of a field, if its values are those of one. */
export function listedOf({ match }: ResourceField): Listed | undefined {
  return match?.kind === 'column' || match?.kind === 'array' ? match.listed : undefined;
}

function patternsIn(filter: Filter): readonly (readonly [Like, Listed])[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap(patternsIn);
    case 'not':
      return patternsIn(filter.operand);
    case 'like': {
      const listed = listedOf(filter.field);
      return listed === undefined ? [] : [[filter, listed]];
    }
    default:
      return [];
  }
}

function withFound(filter: Filter, found: ReadonlyMap<Filter, ListedValues>): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, operands: filter.operands.map((each) => withFound(each, found)) };
    case 'not':
      return { ...filter, operand: withFound(filter.operand, found) };
    case 'like': {
      const values = found.get(filter);
      const listed: ListedLike = values === undefined ? filter : { ...filter, found: values };
      return listed;
    }
    default:
      return filter;
  }
}

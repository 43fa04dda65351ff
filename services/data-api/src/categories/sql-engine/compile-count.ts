import { dimensionById, ENTITIES, TOTAL } from '@vcds/venture-model';
import { compileNarrowing } from '../../narrowing/sql.ts';
import { SqlValues } from '../../postgres/sql-values.ts';
import type { Statement } from '../../postgres/statement.ts';
import type { FacetQuery, FacetRequest } from '../facet-schema.ts';

/** A row of the result: a value of a dimension, in the requested order, or the total. */
export interface CountedRow {
  /** Of the dimension; {@link TOTAL} for the total. */
  readonly number: number;
  readonly value: string;
  /** A bigint, which the driver returns as text. */
  readonly count: string;
}

/**
 * The statement of a query. Facets under the same narrowings share one pass; facets without a
 * narrowing are read from the stored counts.
 *
 * @param codes for each narrowing of the query the codes of its values.
 */
export function compileCount(query: FacetQuery, codes: readonly (readonly number[])[]): Statement {
  const values = new SqlValues();
  const clauses = codes.map((list) => `r.codes && ${values.add(list, 'integer[]')}`);
  const related = relatedBy(query, values);
  const passes = groupedByNarrowing(query).map(({ narrowedBy, facets }) => {
    const applying = narrowedBy.flatMap((index) => clauses[index] ?? []);
    return page(query, countedBy(query, [...applying, ...related]), facets, values);
  });
  const parts = [
    `SELECT ${TOTAL}, '', (${totalBy(query, [...clauses, ...related])}), 0`,
    ...passes,
  ];
  const text = `SELECT number, value, count FROM (${parts.join(' UNION ALL ')})
    AS counted (number, value, count, position) ORDER BY number, position`;
  return { text, values: values.values, plan: 'custom' };
}

interface Pass {
  /** Positions in the query's narrowings. */
  readonly narrowedBy: readonly number[];
  readonly facets: readonly FacetRequest[];
}

// A dimension is never constrained by its own selection (docs/spec/categories.md 8.6).
function groupedByNarrowing({ narrowing, facets }: FacetQuery): readonly Pass[] {
  const groups = new Map<string, { narrowedBy: readonly number[]; facets: FacetRequest[] }>();
  for (const facet of facets) {
    const narrowedBy = narrowing.flatMap(({ dimension }, index) =>
      dimension === facet.dimension ? [] : [index],
    );
    const group = groups.get(narrowedBy.join());
    if (group === undefined) groups.set(narrowedBy.join(), { narrowedBy, facets: [facet] });
    else group.facets.push(facet);
  }
  return [...groups.values()];
}

function countedBy({ entity }: FacetQuery, clauses: readonly string[]): string {
  const { number, facetTable } = ENTITIES[entity];
  if (clauses.length === 0) {
    return `SELECT code, count FROM venture.facet_count WHERE entity = ${number} AND count > 0`;
  }
  return `SELECT c.code, count(*) AS count
    FROM ${facetTable} AS r CROSS JOIN unnest(r.codes) AS c(code)
    WHERE NOT r.deleted${having(clauses)} GROUP BY c.code`;
}

function totalBy({ entity }: FacetQuery, clauses: readonly string[]): string {
  const { number, facetTable } = ENTITIES[entity];
  if (clauses.length === 0) {
    return `SELECT count FROM venture.facet_count WHERE entity = ${number} AND code = ${TOTAL}`;
  }
  return `SELECT count(*) FROM ${facetTable} AS r WHERE NOT r.deleted${having(clauses)}`;
}

// Read from the records, because the index has the links of related records one by one.
function relatedBy({ entity, related = [] }: FacetQuery, values: SqlValues): readonly string[] {
  return related.map(({ narrowing }) => {
    const by = narrowing.map((each) => ({
      dimension: dimensionById(each.dimension),
      values: each.values.map((value) => ({ value })),
    }));
    return compileNarrowing(by, entity, 'r', values);
  });
}

function having(clauses: readonly string[]): string {
  return clauses.map((clause) => ` AND ${clause}`).join('');
}

function page(
  { entity }: FacetQuery,
  counted: string,
  facets: readonly FacetRequest[],
  values: SqlValues,
): string {
  const asked = facets.map(({ dimension, top, skip, order, search }) => {
    const text = search === undefined ? 'NULL::text' : values.add(search.text, 'text');
    const { number } = dimensionById(dimension);
    return `(${number}, ${top}, ${skip}, ${order === 'count'}, ${text}, ${search?.anywhere ?? false})`;
  });
  return `SELECT number, value, count, position FROM (
      SELECT a.number, d.value, n.count, a.top, a.skip, row_number() OVER (
        PARTITION BY a.number
        ORDER BY CASE WHEN a.by_count THEN n.count END DESC, d.folded, d.value) AS position
      FROM (VALUES ${asked.join(', ')}) AS a(number, top, skip, by_count, search, anywhere)
      JOIN venture.dimension_value d ON d.dimension = a.number
      JOIN (${counted}) AS n ON n.code = d.code
      WHERE a.search IS NULL OR starts_with(d.folded, a.search)
        OR (a.anywhere AND strpos(d.folded, a.search) > 0)
    ) AS ${entity} WHERE position > skip AND position <= skip + top`;
}

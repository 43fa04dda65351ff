/** Facets: one scan of the records counts all dimensions and the total. */
import type { FacetCounts, FacetQuery, FacetRequest, FacetValue } from '@vcds/facet-engine';
import type { Compiler } from './conditions.ts';

/** In place of a code: the records that match all narrowings. */
const TOTAL = 0;

export interface CountRow {
  readonly code: number;
  readonly dimension: number;
  readonly value: string;
  readonly n: number;
}

/**
 * The statement of a count. A record gives its codes of the dimensions to which it belongs: those under whose
 * narrowings, without those of the dimension itself, it matches.
 */
export function compileFacets(query: FacetQuery, compiler: Compiler): string {
  const narrowings = query.narrowing.map((each) => ({
    dimension: each.dimension,
    sql: compiler.narrowing(each),
  }));
  const related = (query.related ?? []).map((each) => compiler.related(query.entity, each));
  const targets = new Map<string, string[]>();
  const addTo = (dimension: string | undefined, codes: string) => {
    const own = narrowings.filter((each) => each.dimension !== dimension).map(({ sql }) => sql);
    const target = own.length === 0 ? '1' : own.join(' AND ');
    targets.set(target, [...(targets.get(target) ?? []), codes]);
  };
  addTo(undefined, `[toUInt32(${TOTAL})]`);
  for (const { dimension } of query.facets) {
    addTo(dimension, compiler.dimension(dimension).column);
  }
  const parts = [...targets].map(([target, codes]) => {
    const all = codes.length === 1 ? codes[0] : `arrayConcat(${codes.join(', ')})`;
    return target === '1' || targets.size === 1 ? all : `if(${target}, ${all}, [])`;
  });
  const any = [...targets.keys()].map((target) => `(${target})`).join(' OR ');
  const where = [...related, `(${any})`].join(' AND ');
  const codes = parts.length === 1 ? parts[0] : `arrayConcat(${parts.join(', ')})`;
  const rowsMax = Math.max(1, ...query.facets.map(({ top, skip }) => top + skip));
  return `SELECT v.code AS code, v.dimension AS dimension, v.value AS value, g.n AS n
    FROM (${valuesOf(query.facets, compiler)}) AS v
    ANY INNER JOIN (SELECT arrayJoin(${codes}) AS code, count() AS n
      FROM ${compiler.records(query.entity)} WHERE ${where} GROUP BY code) AS g ON g.code = v.code
    ORDER BY v.dimension, ${orderOf(query.facets, compiler)}, v.folded, v.value
    LIMIT ${rowsMax} BY v.dimension`;
}

/** The values that a count may return, and the total as one of them. */
function valuesOf(facets: readonly FacetRequest[], compiler: Compiler): string {
  const total = `SELECT toUInt32(${TOTAL}) AS code, toUInt16(0) AS dimension, '' AS value, '' AS folded`;
  if (facets.length === 0) return total;
  const wanted = facets.map(({ dimension, search }) => {
    const { number } = compiler.dimension(dimension);
    if (search === undefined) return `dimension = ${number}`;
    const text = compiler.param(search.text, 'String');
    const found = search.anywhere ? `position(folded, ${text}) > 0` : `startsWith(folded, ${text})`;
    return `dimension = ${number} AND ${found}`;
  });
  return `${total} UNION ALL SELECT code, dimension, value, folded FROM ${compiler.values}
    WHERE ${wanted.join(' OR ')}`;
}

function orderOf(facets: readonly FacetRequest[], compiler: Compiler): string {
  const byValue = facets
    .filter(({ order }) => order === 'value')
    .map(({ dimension }) => compiler.dimension(dimension).number);
  return byValue.length === 0 ? 'n DESC' : `if(v.dimension IN (${byValue.join(', ')}), 0, n) DESC`;
}

export function countsOf(
  query: FacetQuery,
  rows: readonly CountRow[],
  compiler: Compiler,
): FacetCounts {
  return {
    total: rows.find(({ code }) => code === TOTAL)?.n ?? 0,
    facets: new Map(
      query.facets.map(({ dimension, top, skip }) => {
        const { number, isNumeric } = compiler.dimension(dimension);
        const found = rows
          .filter((row) => row.dimension === number)
          .slice(skip, skip + top)
          .map(
            ({ value, n }): FacetValue => ({
              value: isNumeric ? Number(value) : value,
              count: n,
            }),
          );
        return [dimension, found];
      }),
    ),
  };
}

import {
  compareValues,
  type FacetCounts,
  type FacetQuery,
  type FacetRequest,
  type FacetValue,
  type RecordCondition,
} from '../../src/port.ts';
import { dimensionOf } from './schema.ts';

/** A row of the table of values. */
export interface Value {
  readonly code: number;
  readonly dimension: number;
  readonly value: string;
  readonly folded: string;
}

/** The codes of the live records of one entity, by id. */
export type Records = ReadonlyMap<string, readonly number[]>;

/** The reference implementation: it reads every record for every facet. */
export function countNaively(
  query: FacetQuery,
  records: Records,
  dictionary: readonly Value[],
): FacetCounts {
  const byCode = new Map(dictionary.map((value) => [value.code, value]));
  const live = [...records.values()].map((codes) =>
    codes.flatMap((code) => byCode.get(code) ?? []),
  );
  return {
    total: live.filter((values) => matches(values, query.narrowing)).length,
    facets: new Map(
      query.facets.map((facet) => [facet.dimension, pageOf(facet, countsOf(query, facet, live))]),
    ),
  };
}

/** The number of records that meet a condition. */
export function countRecordsNaively(
  where: RecordCondition,
  records: Records,
  dictionary: readonly Value[],
): number {
  return matchesNaively(where, records, dictionary).length;
}

/** The ids and codes of the records that meet a condition. */
export function matchesNaively(
  where: RecordCondition,
  records: Records,
  dictionary: readonly Value[],
): [id: string, codes: readonly number[]][] {
  const byCode = new Map(dictionary.map((value) => [value.code, value]));
  return [...records].filter(([, codes]) =>
    meets(
      codes.flatMap((code) => byCode.get(code) ?? []),
      where,
    ),
  );
}

function meets(values: readonly Value[], where: RecordCondition): boolean {
  if (where.kind === 'and') return where.of.every((each) => meets(values, each));
  if (where.kind === 'or') return where.of.some((each) => meets(values, each));
  if (where.kind === 'not') return !meets(values, where.of);
  if (where.kind === 'values') return matches(values, [where]);
  if (where.kind === 'related' || where.kind === 'figure') {
    throw new TypeError(`The condition ${where.kind} is tested apart.`);
  }
  const { number } = dimensionOf(where.dimension);
  return values.some(({ dimension }) => dimension === number);
}

function matches(values: readonly Value[], narrowing: FacetQuery['narrowing']): boolean {
  return narrowing.every((each) =>
    values.some(
      ({ dimension, value }) =>
        dimension === dimensionOf(each.dimension).number && each.values.map(String).includes(value),
    ),
  );
}

function countsOf(query: FacetQuery, facet: FacetRequest, live: readonly (readonly Value[])[]) {
  const { number } = dimensionOf(facet.dimension);
  const counts = new Map<Value, number>();
  const narrowing = query.narrowing.filter(({ dimension }) => dimension !== facet.dimension);
  for (const values of live) {
    if (!matches(values, narrowing)) continue;
    for (const value of values) {
      if (value.dimension === number) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return counts;
}

function pageOf(facet: FacetRequest, counts: ReadonlyMap<Value, number>): FacetValue[] {
  const { search, order, skip, top } = facet;
  const { isNumeric } = dimensionOf(facet.dimension);
  return [...counts]
    .filter(([{ folded }]) => {
      if (search === undefined) return true;
      return search.anywhere ? folded.includes(search.text) : folded.startsWith(search.text);
    })
    .sort(([a, m], [b, n]) => (order === 'count' ? n - m : 0) || compareValues(a, b))
    .slice(skip, skip + top)
    .map(([{ value }, count]) => ({ value: isNumeric ? Number(value) : value, count }));
}

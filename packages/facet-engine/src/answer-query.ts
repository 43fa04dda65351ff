import { dimensionById, valueOfText } from '@vcds/venture-model';
import type { Catalogue } from './catalogue.ts';
import type { CountJob } from './count-job.ts';
import { planQuery, tableOf } from './plan-query.ts';
import type { FacetCounts, FacetQuery, FacetRequest, FacetValue } from './port.ts';
import { rankValues } from './rank-values.ts';

/**
 * Counts all facets of a plan, one after another by ordinal.
 *
 * @param cost records to look at: at most so many, over all facets
 */
export type CountPlanned = (plan: CountJob, cost: number) => Promise<Uint32Array>;

/** Answers a query from what is maintained and what has to be counted, both of this moment. */
export async function answerQuery(
  query: FacetQuery,
  catalogue: Catalogue,
  count: CountPlanned,
): Promise<FacetCounts> {
  const planned = planQuery(query, catalogue);
  const { entity, sources, plan, cost } = planned;
  // Before waiting: what is maintained changes meanwhile.
  const maintained = query.facets.map((facet, place) => {
    if (sources[place] !== 'totals') return [];
    const { number } = dimensionById(facet.dimension);
    return pageOf(facet, catalogue.totalsOf(entity, number), catalogue);
  });
  const counts = plan && (await count(plan, cost));
  return new Map(
    query.facets.map((facet, place) => {
      const table = tableOf(planned, place, counts);
      const values = table === undefined ? maintained[place] : pageOf(facet, table, catalogue);
      return [facet.dimension, values ?? []];
    }),
  );
}

function pageOf(facet: FacetRequest, counts: Uint32Array, catalogue: Catalogue): FacetValue[] {
  const dimension = dimensionById(facet.dimension);
  const values = catalogue.valuesOf(dimension.number);
  return rankValues(counts, values, facet).map((ordinal) => ({
    value: valueOfText(dimension, values.valueOf(ordinal)),
    count: counts[ordinal] as number,
  }));
}

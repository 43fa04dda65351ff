import type { Catalogue } from './catalogue.ts';
import type { CountJob } from './count-job.ts';
import { countsOf, planQuery } from './plan-query.ts';
import type { FacetCounts, FacetQuery, FacetRequest, FacetValue } from './port.ts';
import { rankValues } from './rank-values.ts';
import type { RelatedGroups } from './related.ts';

/**
 * Counts all facets of a job, one after another by ordinal.
 *
 * @param cost upper bound of the records to read, over all facets
 */
export type RunJob = (job: CountJob, cost: number) => Promise<Uint32Array>;

/** Answers a query from stored counts and a job, both of the data at the time of the call. */
export async function answerQuery<Dimension extends string>(
  query: FacetQuery<string, Dimension>,
  catalogue: Catalogue,
  run: RunJob,
  related: RelatedGroups = new Map(),
): Promise<FacetCounts<Dimension>> {
  const plan = planQuery(query, catalogue, related);
  const { entity, sources, job, cost } = plan;
  // Read before waiting, because stored counts change in the meantime.
  const stored = query.facets.map((facet, index) => {
    if (sources[index] !== 'totals') return [];
    const { number } = catalogue.dimensionOf(facet.dimension);
    return pageOf(facet, catalogue.totalsOf(entity, number), catalogue);
  });
  const storedTotal = sources.at(-1) === 'totals' ? catalogue.liveOf(entity) : 0;
  const counts = job && (await run(job, cost));
  return {
    total: countsOf(plan, query.facets.length, counts)?.[0] ?? storedTotal,
    facets: new Map(
      query.facets.map((facet, index) => {
        const counted = countsOf(plan, index, counts);
        const values = counted === undefined ? stored[index] : pageOf(facet, counted, catalogue);
        return [facet.dimension, values ?? []];
      }),
    ),
  };
}

function pageOf(facet: FacetRequest, counts: Uint32Array, catalogue: Catalogue): FacetValue[] {
  const { number, isNumeric } = catalogue.dimensionOf(facet.dimension);
  const values = catalogue.valuesOf(number);
  return rankValues(counts, values, facet).map((ordinal) => {
    const text = values.valueOf(ordinal);
    return { value: isNumeric ? Number(text) : text, count: counts[ordinal] as number };
  });
}

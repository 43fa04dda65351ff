import type { Catalogue } from './catalogue.ts';
import { type CountedFacet, type CountJob, type Group, RECORDS, type Target } from './count-job.ts';
import type { FacetQuery, Narrowing } from './port.ts';

/**
 * The source of a facet's counts: `totals` if no narrowing applies to it, `none` if one applies
 * that no record matches, else its index among the facets of the job.
 */
export type CountsSource = 'totals' | 'none' | number;

export interface QueryPlan {
  readonly entity: number;
  /** By index of the query's facets; the last is that of the total. */
  readonly sources: readonly CountsSource[];
  /** Undefined if there is nothing to count. */
  readonly job: CountJob | undefined;
  /** Upper bound of the records to read, over all facets. */
  readonly cost: number;
}

/**
 * Resolves a query to numbers. Facets to which the same narrowings apply share one target: all
 * narrowings for most, all but its own for a dimension that is narrowed itself.
 */
export function planQuery(query: FacetQuery, catalogue: Catalogue): QueryPlan {
  const entity = catalogue.entityIndex(query.entity);
  const groups = query.narrowing.map((narrowing) => groupOf(narrowing, catalogue));
  const sizes = groups.map((group) => sizeOf(group, catalogue.totalsOf(entity, group.dimension)));
  const facets: CountedFacet[] = [];
  const targets = new Map<string, Target & { readonly facets: number[] }>();
  let cost = 0;
  const sourceOf = (dimension: number, size: number): CountsSource => {
    const applying = groups.flatMap((group, g) => (group.dimension === dimension ? [] : [g]));
    if (applying.length === 0) return 'totals';
    const records = Math.min(...applying.map((g) => sizes[g] ?? 0));
    if (records === 0) return 'none';
    const key = applying.join();
    const target = targets.get(key) ?? { groups: applying, facets: [] };
    if (dimension !== RECORDS || !targets.has(key)) cost += records;
    targets.set(key, target);
    target.facets.push(facets.length);
    facets.push({ dimension, size });
    return facets.length - 1;
  };
  const sources = query.facets.map((facet) => {
    const { number } = catalogue.dimensionOf(facet.dimension);
    return sourceOf(number, catalogue.valuesOf(number).size);
  });
  sources.push(sourceOf(RECORDS, 1));
  const job =
    facets.length === 0 ? undefined : { entity, groups, facets, targets: [...targets.values()] };
  return { entity, sources, job, cost };
}

/** The counts of a source, by its index; undefined if the job does not count it. */
export function countsOf(
  { sources, job }: QueryPlan,
  index: number,
  counts: Uint32Array | undefined,
): Uint32Array | undefined {
  const source = sources[index];
  if (typeof source !== 'number' || job === undefined) return undefined;
  const start = job.facets.slice(0, source).reduce((sum, { size }) => sum + size, 0);
  return counts?.subarray(start, start + (job.facets[source]?.size ?? 0));
}

function groupOf({ dimension, values }: Narrowing, catalogue: Catalogue): Group {
  const { number } = catalogue.dimensionOf(dimension);
  const list = catalogue.valuesOf(number);
  const ordinals = values.flatMap((value) => list.ordinalOf(String(value)) ?? []);
  const distinct = Uint32Array.from(new Set(ordinals)).sort();
  return { dimension: number, ordinals: distinct, size: list.size };
}

/** Upper bound of the records that have one of the group's values. */
function sizeOf({ ordinals }: Group, totals: Uint32Array): number {
  return ordinals.reduce((sum, ordinal) => sum + (totals[ordinal] ?? 0), 0);
}

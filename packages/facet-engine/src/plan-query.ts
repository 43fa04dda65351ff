import { dimensionById, ENTITY_IDS } from '@vcds/venture-model';
import type { Catalogue } from './catalogue.ts';
import type { CountJob, Group, Target } from './count-job.ts';
import type { FacetQuery, Narrowing } from './port.ts';

/**
 * Where the counts of a facet come from: the maintained ones where no narrowing applies to it,
 * none where one applies that no record passes, else its place among those to be counted.
 */
export type CountsFrom = 'totals' | 'none' | number;

export interface QueryPlan {
  readonly entity: number;
  /** By place in the query's facets. */
  readonly sources: readonly CountsFrom[];
  /** What is to be counted; undefined when nothing is. */
  readonly plan: CountJob | undefined;
  /** Records that have to be looked at: at most so many, over all facets. */
  readonly cost: number;
}

/**
 * Resolves a query to numbers. Facets that the same narrowings apply to are counted together: all
 * narrowings for most, all but its own for a dimension that is narrowed itself.
 */
export function planQuery(query: FacetQuery, catalogue: Catalogue): QueryPlan {
  const entity = ENTITY_IDS.indexOf(query.entity);
  const groups = query.narrowing.map((narrowing) => groupOf(narrowing, catalogue));
  const sizes = groups.map((group) => sizeOf(group, catalogue.totalsOf(entity, group.dimension)));
  const facets: CountJob['facets'][number][] = [];
  const targets = new Map<string, Target & { readonly facets: number[] }>();
  let cost = 0;
  const sources = query.facets.map((facet): CountsFrom => {
    const dimension = dimensionById(facet.dimension).number;
    const applying = groups.flatMap((group, g) => (group.dimension === dimension ? [] : [g]));
    if (applying.length === 0) return 'totals';
    const records = Math.min(...applying.map((g) => sizes[g] ?? 0));
    if (records === 0) return 'none';
    cost += records;
    const key = applying.join();
    const target = targets.get(key) ?? { groups: applying, facets: [] };
    targets.set(key, target);
    target.facets.push(facets.length);
    facets.push({ dimension, size: catalogue.valuesOf(dimension).size });
    return facets.length - 1;
  });
  const plan =
    facets.length === 0 ? undefined : { entity, groups, facets, targets: [...targets.values()] };
  return { entity, sources, plan, cost };
}

/** The counts of a facet, by its place in the query; undefined where they were not counted. */
export function tableOf(
  { sources, plan }: QueryPlan,
  place: number,
  counts: Uint32Array | undefined,
): Uint32Array | undefined {
  const source = sources[place];
  if (typeof source !== 'number' || plan === undefined) return undefined;
  const start = plan.facets.slice(0, source).reduce((sum, { size }) => sum + size, 0);
  return counts?.subarray(start, start + (plan.facets[source]?.size ?? 0));
}

function groupOf({ dimension, values }: Narrowing, catalogue: Catalogue): Group {
  const { number } = dimensionById(dimension);
  const list = catalogue.valuesOf(number);
  const ordinals = values.flatMap((value) => list.ordinalOf(String(value)) ?? []);
  const distinct = Uint32Array.from(new Set(ordinals)).sort();
  return { dimension: number, ordinals: distinct, size: list.size };
}

/** Records that have one of the group's values: at most so many. */
function sizeOf({ ordinals }: Group, totals: Uint32Array): number {
  return ordinals.reduce((sum, ordinal) => sum + (totals[ordinal] ?? 0), 0);
}

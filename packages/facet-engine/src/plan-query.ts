import type { Catalogue } from './catalogue.ts';
import {
  type CountedFacet,
  type CountJob,
  type Group,
  RECORDS,
  type Target,
  type Where,
} from './count-job.ts';
import { groupOf } from './group.ts';
import type { FacetQuery, RecordCondition, RecordQuery } from './port.ts';
import type { RelatedGroups } from './related.ts';

/**
 * The source of a facet's counts: `totals` if no narrowing applies to it, `none` if one applies
 * that no record matches, else its index among the facets of the job.
 */
export type CountsSource = 'totals' | 'none' | number;

/** Records that one operation on bits processes. */
const WORD_RECORDS = 32;

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
export function planQuery(
  query: FacetQuery,
  catalogue: Catalogue,
  related: RelatedGroups,
): QueryPlan {
  const entity = catalogue.entityIndex(query.entity);
  const groups = [
    ...query.narrowing.map((narrowing) => groupOf(narrowing, catalogue)),
    ...related.values(),
  ];
  const live = catalogue.liveOf(entity);
  const sizes = groups.map((group) => {
    if (group.marks !== undefined) return group.size === 0 ? 0 : live;
    return sizeOf(group, catalogue.totalsOf(entity, group.dimension));
  });
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

/**
 * Resolves a count of records to numbers.
 *
 * @returns the job, and an upper bound of the records whose values it reads.
 */
export function planRecords(
  { entity: id, where: condition }: Pick<RecordQuery, 'entity' | 'where'>,
  catalogue: Catalogue,
  related: RelatedGroups,
): { readonly job: CountJob; readonly cost: number } {
  const entity = catalogue.entityIndex(id);
  const { groups, where, leaves } = resolveCondition(entity, condition, catalogue, related);
  const facets = [{ dimension: RECORDS, size: 1 }];
  const cost = (catalogue.liveOf(entity) * leaves) / WORD_RECORDS;
  return { job: { entity, groups, facets, targets: [], where }, cost };
}

/** A condition in numbers, and the number of its parts that are not made of others. */
export function resolveCondition(
  entity: number,
  condition: RecordCondition,
  catalogue: Catalogue,
  related: RelatedGroups,
) {
  const groups: Group[] = [];
  let leaves = 0;
  const leaf = (where: Where): Where => {
    leaves += 1;
    return where;
  };
  const add = (group: Group) => leaf({ kind: 'group', group: groups.push(group) - 1 });
  const whereOf = (each: RecordCondition): Where => {
    switch (each.kind) {
      case 'and':
      case 'or':
        return { kind: each.kind, of: each.of.map(whereOf) };
      case 'not':
        return { kind: 'not', of: whereOf(each.of) };
      case 'values':
        return add(groupOf(each, catalogue));
      case 'related': {
        const group = related.get(each);
        if (group === undefined) throw new TypeError('Related records are not marked.');
        leaves += WORD_RECORDS;
        return add(group);
      }
      case 'figure': {
        const { least, most } = each;
        leaves += WORD_RECORDS;
        return leaf({
          kind: 'figure',
          figure: catalogue.figureIndex(entity, each.figure),
          least: least ?? Number.NEGATIVE_INFINITY,
          most: most ?? Number.POSITIVE_INFINITY,
        });
      }
      case 'any':
        return leaf({ kind: 'any', dimension: catalogue.dimensionOf(each.dimension).number });
    }
  };
  const where = whereOf(condition);
  return { groups, where, leaves };
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

/** Upper bound of the records that have one of the group's values. */
function sizeOf({ ordinals }: Group, totals: Uint32Array): number {
  return ordinals.reduce((sum, ordinal) => sum + (totals[ordinal] ?? 0), 0);
}

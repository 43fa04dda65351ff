import type { Catalogue } from './catalogue.ts';
import {
  type CountedFacet,
  type CountJob,
  codeOf,
  type FirstJob,
  type Group,
  hasIdOrder,
  isExact,
  type JobPosition,
  type RankedKey,
  RECORDS,
  type Target,
  type Where,
} from './count-job.ts';
import { idWords } from './id-table.ts';
import type {
  FacetQuery,
  FirstRecordsQuery,
  Narrowing,
  RecordCondition,
  RecordOrder,
  RecordPosition,
  RecordQuery,
} from './port.ts';

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

/**
 * Resolves a count of records to numbers.
 *
 * @returns the job, and an upper bound of the records whose values it reads.
 */
export function planRecords(
  { entity: id, where: condition }: Pick<RecordQuery, 'entity' | 'where'>,
  catalogue: Catalogue,
): { readonly job: CountJob; readonly cost: number } {
  const entity = catalogue.entityIndex(id);
  const { groups, where, leaves } = resolve(condition, catalogue);
  const facets = [{ dimension: RECORDS, size: 1 }];
  const cost = (catalogue.liveOf(entity) * leaves) / WORD_RECORDS;
  return { job: { entity, groups, facets, targets: [], where }, cost };
}

/**
 * Resolves a search for the first records to numbers. Keys beyond the first ones, whose combinations
 * are no exact numbers, are left out: records that only these separate are all found.
 *
 * @returns the job, and upper bounds of the records that meet the condition, and of those whose values it
 *   reads.
 */
export function planFirst(
  query: Omit<FirstRecordsQuery, 'version'>,
  catalogue: Catalogue,
): { readonly job: FirstJob; readonly most: number; readonly cost: number } {
  const entity = catalogue.entityIndex(query.entity);
  const { count, countMax } = query;
  if (!(count >= 1 && countMax >= count)) throw new RangeError('countMax is below count.');
  const { groups, where, leaves } = resolve(query.where, catalogue);
  const keys: RankedKey[] = [];
  let combinations = 1;
  for (const order of query.order) {
    const { number } = catalogue.dimensionOf(order.dimension);
    const ranks = catalogue.valuesOf(number).numberRanks();
    combinations *= ranks.length + 1;
    if (combinations > Number.MAX_SAFE_INTEGER) break;
    const key = { dimension: number, ranks, descending: order.descending };
    keys.push({ ...key, exact: exactOf(order, key, catalogue) });
  }
  const isComplete = keys.length === query.order.length;
  const idSign = !isComplete || query.ids === undefined ? 0 : query.ids === 'ascending' ? 1 : -1;
  const from = positionOf(query.from, keys, idSign, catalogue);
  const live = catalogue.liveOf(entity);
  const most = mostOf(where, groups, live, (group) =>
    sizeOf(group, catalogue.totalsOf(entity, group.dimension)),
  );
  const cost = (live * leaves) / WORD_RECORDS + most;
  return {
    job: { entity, groups, where, hasEnd: false, keys, idSign, from, count, countMax },
    most,
    cost,
  };
}

/** The codes of a key that are no rounded values. */
function exactOf(
  { exactBelow }: RecordOrder,
  key: Omit<RankedKey, 'exact'>,
  catalogue: Catalogue,
): RankedKey['exact'] {
  if (exactBelow === null) return undefined;
  const exact = catalogue.valuesOf(key.dimension).numbersBelow(exactBelow);
  const [none, last] = [codeOf(0, key), codeOf(exact, key)];
  return { least: Math.min(none, last), most: Math.max(none, last) };
}

/** The least combination of keys that is not before a position. */
function positionOf(
  position: RecordPosition | undefined,
  keys: readonly RankedKey[],
  idSign: FirstJob['idSign'],
  catalogue: Catalogue,
): JobPosition {
  const { values = [], id } = position ?? {};
  // Whether a record can have all of the values so far, and later ones have an order among such records.
  let isEqual = true;
  const key = keys.reduce((combined, each, index) => {
    const { ranks, dimension, descending } = each;
    const base = ranks.length + 1;
    const value = values[index];
    if (!isEqual || value === undefined) return combined * base;
    const list = catalogue.valuesOf(dimension);
    const below = value === null ? -1 : list.numbersBelow(value);
    const occurs = value === null || list.ordinalOf(String(value)) !== undefined;
    const code = occurs ? codeOf(below + 1, each) : descending ? codeOf(below, each) : below + 1;
    isEqual = occurs && isExact([each], code);
    return combined * base + code;
  }, 0);
  const isAfterId = isEqual && hasIdOrder({ idSign, keys }, key) && values.length >= keys.length;
  return { key, id: isAfterId && id !== undefined ? idWords(id) : undefined };
}

/** Upper bound of the records that meet a condition. */
function mostOf(
  where: Where,
  groups: readonly Group[],
  live: number,
  size: (group: Group) => number,
): number {
  if (where.kind === 'group') return Math.min(live, size(groups[where.group] as Group));
  if (where.kind !== 'and' && where.kind !== 'or') return live;
  const of = where.of.map((each) => mostOf(each, groups, live, size));
  if (where.kind === 'and') return Math.min(live, ...of);
  return Math.min(
    live,
    of.reduce((sum, each) => sum + each, 0),
  );
}

/** A condition in numbers, and the number of its parts that are not made of others. */
function resolve(condition: RecordCondition, catalogue: Catalogue) {
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
      case 'range':
        return add(rangeOf(each, catalogue));
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

function groupOf({ dimension, values }: Narrowing, catalogue: Catalogue): Group {
  const { number } = catalogue.dimensionOf(dimension);
  const list = catalogue.valuesOf(number);
  const ordinals = values.flatMap((value) => list.ordinalOf(String(value)) ?? []);
  const distinct = Uint32Array.from(new Set(ordinals)).sort();
  return { dimension: number, ordinals: distinct, size: list.size };
}

function rangeOf(
  { dimension, least, most }: RecordCondition & { kind: 'range' },
  catalogue: Catalogue,
): Group {
  const { number } = catalogue.dimensionOf(dimension);
  const values = catalogue.valuesOf(number);
  const ranks = values.numberRanks();
  const first = least === null ? 1 : values.numbersBelow(least) + 1;
  const last = most === null ? ranks.length : values.numbersUpTo(most);
  const ordinals = new Uint32Array(Math.max(last - first + 1, 0));
  let length = 0;
  for (let ordinal = 0; ordinal < ranks.length; ordinal++) {
    const rank = ranks[ordinal] as number;
    if (rank >= first && rank <= last) ordinals[length++] = ordinal;
  }
  return { dimension: number, ordinals, size: values.size };
}

/** Upper bound of the records that have one of the group's values. */
function sizeOf({ ordinals }: Group, totals: Uint32Array): number {
  return ordinals.reduce((sum, ordinal) => sum + (totals[ordinal] ?? 0), 0);
}

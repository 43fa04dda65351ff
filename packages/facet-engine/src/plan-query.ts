import type { Catalogue } from './catalogue.ts';
import {
  type CountedFacet,
  type CountJob,
  type FirstJob,
  type Group,
  hasIdOrder,
  type JobPosition,
  type RankedKey,
  type RankJob,
  RECORDS,
  type Target,
  type Where,
} from './count-job.ts';
import { idBefore } from './first-records.ts';
import { idWords } from './id-table.ts';
import type {
  FacetQuery,
  FirstRecordsQuery,
  Narrowing,
  RecordCondition,
  RecordGroup,
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
  for (const { dimension, descending } of query.order) {
    const { number } = catalogue.dimensionOf(dimension);
    const ranks = catalogue.valuesOf(number).numberRanks();
    combinations *= ranks.length + 1;
    if (combinations > Number.MAX_SAFE_INTEGER) break;
    keys.push({ dimension: number, ranks, descending });
  }
  const isComplete = keys.length === query.order.length;
  const idSign = !isComplete || query.ids === undefined ? 0 : query.ids === 'ascending' ? 1 : -1;
  const exactLast = isComplete ? exactOf(query.order.at(-1), keys.at(-1), catalogue) : undefined;
  const from = positionOf(query.from, keys, { idSign, exactLast }, catalogue);
  const live = catalogue.liveOf(entity);
  const most = mostOf(where, groups, live, (group) =>
    sizeOf(group, catalogue.totalsOf(entity, group.dimension)),
  );
  const cost = (live * leaves) / WORD_RECORDS + most;
  return {
    job: { entity, groups, where, keys, idSign, exactLast, from, count, countMax },
    most,
    cost,
  };
}

/** Counts of {@link RankJob}. */
export type RunRanks = (job: RankJob) => Promise<Uint32Array>;

/** How a search leaves out records that are not wanted. */
export interface Skipping {
  /** Finds the others, and the rest of those that are not wanted; undefined if they are more than `countMax`. */
  readonly job: FirstJob | undefined;
  /** How many records the job leaves out. */
  readonly skipped: number;
  /** The group of the first record that is wanted, by the code of the first key; undefined if not counted. */
  readonly group: { readonly code: number; readonly before: number } | undefined;
}

/**
 * Finds a position in the order of a job after at most `skip` records.
 *
 * @param rest so many records that are not wanted may be found
 */
export async function skipFirst(
  job: FirstJob,
  skip: number,
  rest: number,
  run: RunRanks,
): Promise<Skipping> {
  const { keys, idSign, countMax } = job;
  let skipped = 0;
  let combination = 0;
  /** The records that the counted keys do not separate from the first one that is wanted. */
  let equal = 0;
  let group: Skipping['group'];
  let id: Uint32Array | undefined;
  let level = 0;
  for (; level <= keys.length && skip - skipped > rest; level++) {
    const isById = level === keys.length;
    if (isById && !hasIdOrder(job, combination)) break;
    const counts = await run({ ...job, level, combination });
    let rank = 0;
    while (rank < counts.length - 1 && skipped + (counts[rank] as number) <= skip) {
      skipped += counts[rank] as number;
      rank += 1;
    }
    equal = counts[rank] as number;
    if (isById) id = idBefore(rank, idSign);
    else combination = combination * counts.length + rank;
    const isWanted = skipped + equal > skip;
    if (level === 0 && !isById && isWanted) group = { code: rank, before: skipped };
  }
  const count = job.count + skip - skipped;
  const areEqual = level === keys.length && !hasIdOrder(job, combination);
  if (count > countMax || (areEqual && equal > countMax)) return { job: undefined, skipped, group };
  if (skipped === 0) return { job: { ...job, count }, skipped, group };
  const key = keys
    .slice(level)
    .reduce((combined, { ranks: { length } }) => combined * (length + 1), combination);
  return { job: { ...job, from: { key, id }, count }, skipped, group };
}

/** A group of {@link skipFirst} by the value of the key. */
export function groupOfRecords(
  { keys }: Pick<FirstJob, 'keys'>,
  group: Skipping['group'],
  catalogue: Catalogue,
): RecordGroup | undefined {
  const [key] = keys;
  if (group === undefined || key === undefined) return undefined;
  const { code, before } = group;
  // The same for codes and ranks: both count from either end.
  const rank = codeOf(code, key);
  const value = rank === 0 ? null : catalogue.valuesOf(key.dimension).numberOfRank(rank);
  return { value, before };
}

/** Where the last key is no rounded value. */
function exactOf(
  order: RecordOrder | undefined,
  key: RankedKey | undefined,
  catalogue: Catalogue,
): FirstJob['exactLast'] {
  if (order?.exactBelow == null || key === undefined) return undefined;
  const exact = catalogue.valuesOf(key.dimension).numbersBelow(order.exactBelow);
  const [none, last] = [codeOf(0, key), codeOf(exact, key)];
  const ranks = key.ranks.length + 1;
  return { ranks, least: Math.min(none, last), most: Math.max(none, last) };
}

/** The digit of a rank in a combination of keys. */
function codeOf(rank: number, { ranks, descending }: RankedKey): number {
  return descending ? ranks.length - rank : rank;
}

/** The least combination of keys that is not before a position. */
function positionOf(
  position: RecordPosition | undefined,
  keys: readonly RankedKey[],
  ids: Pick<FirstJob, 'idSign' | 'exactLast'>,
  catalogue: Catalogue,
): JobPosition {
  const { values = [], id } = position ?? {};
  // Whether a record can have all of the values so far.
  let isEqual = true;
  const key = keys.reduce((combined, each, index) => {
    const { ranks, dimension, descending } = each;
    const base = ranks.length + 1;
    const value = values[index];
    if (!isEqual || value === undefined) return combined * base;
    if (value === null) return combined * base + codeOf(0, each);
    const list = catalogue.valuesOf(dimension);
    const below = list.numbersBelow(value);
    isEqual = list.ordinalOf(String(value)) !== undefined;
    if (isEqual) return combined * base + codeOf(below + 1, each);
    return combined * base + (descending ? codeOf(below, each) : below + 1);
  }, 0);
  const isAfterId = hasIdOrder(ids, key) && isEqual && values.length >= keys.length;
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
  const isWithin = (value: number) =>
    value >= (least ?? Number.NEGATIVE_INFINITY) && value <= (most ?? Number.POSITIVE_INFINITY);
  const ordinals = Uint32Array.from({ length: values.size }, (_, ordinal) => ordinal);
  const within = ordinals.filter((ordinal) => isWithin(Number(values.valueOf(ordinal))));
  return { dimension: number, ordinals: within, size: values.size };
}

/** Upper bound of the records that have one of the group's values. */
function sizeOf({ ordinals }: Group, totals: Uint32Array): number {
  return ordinals.reduce((sum, ordinal) => sum + (totals[ordinal] ?? 0), 0);
}

import type { CountCache } from './count-cache.ts';
import {
  type CountedFacet,
  type CountJob,
  countsLength,
  type Group,
  RECORDS,
  type Target,
} from './count-job.ts';
import { countWhere } from './count-where.ts';
import {
  type Column,
  SEGMENT_RECORDS_MAX,
  type Segments,
  type SegmentView,
  type SetColumn,
} from './segment.ts';
import { Selector } from './select.ts';
import { countSlots } from './slot-column.ts';

/** For fewer records, counting takes less than adding cached counts. */
const CACHED_RECORDS_MIN = 512;
/** Under more values of a dimension, counts are not cached: they hardly repeat. */
const CACHED_VALUES_MAX = 8;

/** The counts of some of an entity's segments. */
export interface SegmentCounts {
  /** Number of slots taken, including empty ones. */
  readonly segments: number;
  /** All facets one after another, by ordinal; undefined if no segment was left. */
  readonly counts: Uint32Array<ArrayBuffer> | undefined;
}

/** Selected records by set of a column. All 0 between uses. */
const setTallies = new Uint32Array(SEGMENT_RECORDS_MAX + 1);

export interface CountSegmentsOptions {
  /** Selections of fewer records filter a list. */
  readonly listMax?: number | undefined;
  /** Of the counts under few values of one dimension; none by default. */
  readonly cache?: CountCache | undefined;
  /** Counts of at least so many records of a segment are cached. */
  readonly cachedRecordsMin?: number | undefined;
}

/**
 * Counts one segment after another until none is left.
 *
 * @param take returns the next slot to count, or `segments.length` and more if none is left
 */
export function countSegments(
  segments: Segments,
  job: CountJob,
  take: () => number,
  { listMax, cache, cachedRecordsMin = CACHED_RECORDS_MIN }: CountSegmentsOptions = {},
): SegmentCounts {
  let slot = take();
  if (slot >= segments.length) return { segments: 0, counts: undefined };
  const counts = new Uint32Array(countsLength(job));
  const tables = tablesOf(job, counts);
  const selector = new Selector(job, listMax);
  let taken = 0;
  for (; slot < segments.length; slot = take()) {
    taken += 1;
    const segment = segments[slot];
    if (segment === undefined) continue;
    selector.enter(segment);
    if (job.where !== undefined) {
      counts[0] = (counts[0] as number) + countWhere(segment, job.where, selector);
      continue;
    }
    for (const target of job.targets) {
      const { groups, facets } = target;
      const isCached = cache !== undefined && isOfFewValues(job, target);
      if (isCached && selector.sizeOf(groups) >= cachedRecordsMin) {
        countCached(segment, job, target, cache, selector, tables);
      } else {
        const selected = selector.select(groups);
        for (const facet of facets) {
          countFacet(
            segment,
            job.facets[facet] as CountedFacet,
            selector.records,
            selected,
            tables[facet] as Uint32Array,
          );
        }
      }
    }
  }
  return { segments: taken, counts };
}

/** Whether one dimension narrows, by few values. */
function isOfFewValues({ groups }: CountJob, target: Target): boolean {
  const [only] = target.groups;
  const { ordinals } = groups[only as number] as Group;
  return target.groups.length === 1 && ordinals.length <= CACHED_VALUES_MAX;
}

/** Adds cached counts, and counts and caches the others. */
function countCached(
  segment: SegmentView,
  job: CountJob,
  { groups, facets }: Target,
  cache: CountCache,
  selector: Selector,
  tables: readonly Uint32Array[],
): void {
  const { dimension: narrowed, ordinals } = job.groups[groups[0] as number] as Group;
  let selected: number | undefined;
  for (const facet of facets) {
    const counted = job.facets[facet] as CountedFacet;
    const key = `${narrowed},${ordinals.join()},${counted.dimension}`;
    let counts = cache.get(segment, key);
    if (counts === undefined) {
      selected ??= selector.select(groups);
      const counting = new Uint32Array(counted.size);
      countFacet(segment, counted, selector.records, selected, counting);
      counts = withoutEnd(counting);
      cache.put(segment, key, counts);
    }
    addTo(tables[facet] as Uint32Array, counts);
  }
}

/** The counts to the last one that is not 0. A segment has no count above 16 bits. */
function withoutEnd(counts: Uint32Array): Uint16Array {
  let length = counts.length;
  while (length > 0 && counts[length - 1] === 0) length -= 1;
  return Uint16Array.from(counts.subarray(0, length));
}

function addTo(table: Uint32Array, counts: Uint16Array): void {
  for (let i = 0; i < counts.length; i++) {
    table[i] = (table[i] as number) + (counts[i] as number);
  }
}

function countFacet(
  segment: SegmentView,
  { dimension }: CountedFacet,
  records: Uint16Array,
  selected: number,
  table: Uint32Array,
): void {
  if (selected === 0) return;
  const column = segment.columns[dimension];
  if (dimension === RECORDS) table[0] = (table[0] as number) + selected;
  else if (column !== undefined) countColumn(column, records, selected, table);
}

function tablesOf(job: CountJob, counts: Uint32Array): readonly Uint32Array[] {
  let start = 0;
  return job.facets.map(({ size }) => {
    start += size;
    return counts.subarray(start - size, start);
  });
}

/** Adds the values of the first `count` records. */
function countColumn(
  column: Column,
  records: Uint16Array,
  count: number,
  table: Uint32Array,
): void {
  if (column.kind === 'slots') countSlots(column, records, count, table);
  else if (count >= column.setCount) tallySets(column, records, count, table);
  else if (column.isSingle) countSingle(column, records, count, table);
  else countMany(column, records, count, table);
}

/** For many records of few sets: counts the sets first, then adds each count to its values. */
function tallySets(
  { sets, setCount, offsets, values }: SetColumn,
  records: Uint16Array,
  count: number,
  table: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const set = sets[records[i] as number] as number;
    setTallies[set] = (setTallies[set] as number) + 1;
  }
  setTallies[0] = 0;
  for (let set = 1; set < setCount; set++) {
    const tally = setTallies[set] as number;
    if (tally === 0) continue;
    setTallies[set] = 0;
    const end = offsets[set + 1] as number;
    for (let i = offsets[set] as number; i < end; i++) {
      const value = values[i] as number;
      table[value] = (table[value] as number) + tally;
    }
  }
}

function countSingle(
  { sets, values }: SetColumn,
  records: Uint16Array,
  count: number,
  table: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const set = sets[records[i] as number] as number;
    if (set === 0) continue;
    const value = values[set - 1] as number;
    table[value] = (table[value] as number) + 1;
  }
}

function countMany(
  { sets, offsets, values }: SetColumn,
  records: Uint16Array,
  count: number,
  table: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const set = sets[records[i] as number] as number;
    const end = offsets[set + 1] as number;
    for (let v = offsets[set] as number; v < end; v++) {
      const value = values[v] as number;
      table[value] = (table[value] as number) + 1;
    }
  }
}

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
  FREE_SLOTS,
  SEGMENT_RECORDS_MAX,
  type Segments,
  type SegmentView,
  type SetColumn,
} from './segment.ts';
import { Selector } from './select.ts';
import { type SegmentShare, shareSegments } from './share-segments.ts';
import { countSlots } from './slot-column.ts';

/** For fewer records, counting takes less than adding cached counts. */
const CACHED_RECORDS_MIN = 512;
/** Under more values of a dimension, counts are not cached: they hardly repeat. */
const CACHED_VALUES_MAX = 8;

/** The counts of a facet. */
interface CountTable {
  /** Or {@link RECORDS}. */
  readonly dimension: number;
  /** By ordinal. */
  readonly counts: Uint32Array;
  /** The same counts by code of a slot, those of free slots before them. */
  readonly codes: Uint32Array;
}

/** A column whose sets are counted, and the counts of its values. */
interface Tallied {
  readonly column: SetColumn;
  readonly counts: Uint32Array;
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

/** Counts the segments of the slots that it takes: all facets one after another, by ordinal. */
export function countSegments(
  segments: Segments,
  job: CountJob,
  take: () => number,
  { listMax, cache, cachedRecordsMin = CACHED_RECORDS_MIN }: CountSegmentsOptions = {},
): SegmentShare {
  return shareSegments(segments, take, () => {
    const tables = job.facets.map(emptyTable);
    const selector = new Selector(job, listMax);
    const add = (segment: SegmentView) => {
      selector.enter(segment);
      if (job.where !== undefined) {
        const { counts } = tables[0] as CountTable;
        counts[0] = (counts[0] as number) + countWhere(segment, job.where, selector);
        return;
      }
      for (const target of job.targets) {
        const { groups, facets } = target;
        const isCached = cache !== undefined && isOfFewValues(job, target);
        if (isCached && selector.sizeOf(groups) >= cachedRecordsMin) {
          countCached(segment, job, target, cache, selector, tables);
        } else {
          const counted = facets.map((facet) => tables[facet] as CountTable);
          countTables(segment, counted, selector.records, selector.select(groups));
        }
      }
    };
    return { add, numbers: () => joined(tables, countsLength(job)) };
  });
}

/** Whether one dimension narrows, by few values. */
function isOfFewValues({ groups }: CountJob, target: Target): boolean {
  const [only] = target.groups;
  const { ordinals, marks } = groups[only as number] as Group;
  return marks === undefined && target.groups.length === 1 && ordinals.length <= CACHED_VALUES_MAX;
}

/** Adds cached counts, and counts and caches the others. */
function countCached(
  segment: SegmentView,
  job: CountJob,
  { groups, facets }: Target,
  cache: CountCache,
  selector: Selector,
  tables: readonly CountTable[],
): void {
  const { dimension: narrowed, ordinals } = job.groups[groups[0] as number] as Group;
  const narrowing = `${narrowed},${ordinals.join()}`;
  const missing: { readonly table: CountTable; readonly counting: CountTable }[] = [];
  for (const facet of facets) {
    const table = tables[facet] as CountTable;
    const { dimension, counts } = table;
    const cached = cache.get(segment, `${narrowing},${dimension}`);
    if (cached !== undefined) addTo(counts, cached);
    else missing.push({ table, counting: emptyTable({ dimension, size: counts.length }) });
  }
  if (missing.length === 0) return;
  const counting = missing.map((each) => each.counting);
  countTables(segment, counting, selector.records, selector.select(groups));
  for (const { table, counting } of missing) {
    const counted = withoutEnd(counting.counts);
    cache.put(segment, `${narrowing},${table.dimension}`, counted);
    addTo(table.counts, counted);
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

/** Adds the values of the first `selected` records. */
function countTables(
  { columns }: SegmentView,
  tables: readonly CountTable[],
  records: Uint16Array,
  selected: number,
): void {
  if (selected === 0) return;
  const tallied = new Map<Uint16Array, Tallied[]>();
  for (const { dimension, counts, codes } of tables) {
    const column = columns[dimension];
    if (dimension === RECORDS) counts[0] = (counts[0] as number) + selected;
    else if (column === undefined) continue;
    else if (column.kind === 'slots') countSlots(column, records, selected, codes);
    else if (selected < column.setCount) countEach(column, records, selected, counts);
    else {
      const sharing = tallied.get(column.sets);
      if (sharing === undefined) tallied.set(column.sets, [{ column, counts }]);
      else sharing.push({ column, counts });
    }
  }
  for (const [sets, sharing] of tallied) tallySets(sets, sharing, records, selected);
}

function emptyTable({ dimension, size }: CountedFacet): CountTable {
  const codes = new Uint32Array(FREE_SLOTS + size);
  return { dimension, counts: codes.subarray(FREE_SLOTS), codes };
}

function joined(tables: readonly CountTable[], length: number): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(length);
  let start = 0;
  for (const { counts } of tables) {
    all.set(counts, start);
    start += counts.length;
  }
  return all;
}

/** For many records of few sets: counts the sets first, then adds each count to its values. */
function tallySets(
  sets: Uint16Array,
  sharing: readonly Tallied[],
  records: Uint16Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const set = sets[records[i] as number] as number;
    setTallies[set] = (setTallies[set] as number) + 1;
  }
  for (const { column, counts } of sharing) addTallies(column, counts);
  setTallies.fill(0, 0, sharing[0]?.column.setCount);
}

function addTallies({ setCount, offsets, values }: SetColumn, table: Uint32Array): void {
  for (let set = 0; set < setCount; set++) {
    const tally = setTallies[set] as number;
    if (tally === 0) continue;
    const end = offsets[set + 1] as number;
    for (let i = offsets[set] as number; i < end; i++) {
      const value = values[i] as number;
      table[value] = (table[value] as number) + tally;
    }
  }
}

function countEach(
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

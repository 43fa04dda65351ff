import { type CountedFacet, type CountJob, countsLength, RECORDS } from './count-job.ts';
import { type Column, SEGMENT_RECORDS_MAX, type Segments } from './segment.ts';
import { Selector } from './select.ts';

/** The counts of some of an entity's segments. */
export interface SegmentCounts {
  /** Number of slots taken, including empty ones. */
  readonly segments: number;
  /** All facets one after another, by ordinal; undefined if no segment was left. */
  readonly counts: Uint32Array<ArrayBuffer> | undefined;
}

/** Selected records by set of a column. All 0 between uses. */
const setTallies = new Uint32Array(SEGMENT_RECORDS_MAX + 1);

/**
 * Counts one segment after another until none is left.
 *
 * @param take returns the next slot to count, or `segments.length` and more if none is left
 */
export function countSegments(
  segments: Segments,
  job: CountJob,
  take: () => number,
  listMax?: number,
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
    for (const { groups, facets } of job.targets) {
      const selected = selector.select(groups);
      if (selected === 0) continue;
      for (const facet of facets) {
        const { dimension } = job.facets[facet] as CountedFacet;
        const table = tables[facet] as Uint32Array;
        const column = segment.columns[dimension];
        if (dimension === RECORDS) table[0] = (table[0] as number) + selected;
        else if (column !== undefined) countColumn(column, selector.records, selected, table);
      }
    }
  }
  return { segments: taken, counts };
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
  if (count >= column.setCount) tallySets(column, records, count, table);
  else if (column.isSingle) countSingle(column, records, count, table);
  else countMany(column, records, count, table);
}

/** For many records of few sets: counts the sets first, then adds each count to its values. */
function tallySets(
  { sets, setCount, offsets, values }: Column,
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
  { sets, values }: Column,
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
  { sets, offsets, values }: Column,
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

/**
 * How records lie in memory. Those of an entity are cut into segments of at most 65,535; what a
 * segment holds is never changed but for who is alive, so that any number of threads may read it.
 * All arrays lie in shared memory.
 */

/** A record's number within its segment fits 16 bits, and so does the number of a set. */
export const SEGMENT_RECORDS_MAX = 65_535;

/** 32-bit words of a bit per record. */
export const SEGMENT_WORDS = 2_048;

/** Dimensions are numbered from 1; arrays by dimension have room for numbers below this. */
export const DIMENSION_SLOTS = 32;

/**
 * The values of one dimension. Each distinct set of values that occurs in the segment has a
 * number, 0 being the empty one, and a record has the number of its set: one code a record, be
 * the dimension single-valued or many-valued.
 */
export interface Column {
  /** Number of the set, by record. */
  readonly sets: Uint16Array;
  /** Sets, the empty one included. */
  readonly setCount: number;
  /** The values of set s lie in `values` from `offsets[s]` to before `offsets[s + 1]`. */
  readonly offsets: Uint32Array;
  /** Ordinals within the dimension, ascending within a set. */
  readonly values: Uint32Array;
  /** No set has two values: those of set s > 0 is `values[s - 1]`. */
  readonly isSingle: boolean;
}

/** Which records have a value; those that have died since are still among them. */
export interface Postings {
  /** Values that occur, ascending. */
  readonly ordinals: Uint32Array;
  /** How many records have it, by place in `ordinals`. */
  readonly sizes: Uint32Array;
  /** Where it lies, by place in `ordinals`: in `records`, or (from {@link BITS}) in `bits`. */
  readonly starts: Uint32Array;
  /** Record numbers, ascending for each value. */
  readonly records: Uint16Array;
  /** {@link SEGMENT_WORDS} words for each value that is frequent. */
  readonly bits: Uint32Array;
}

/** Added to the start, in words, of a value kept as bits. */
export const BITS = 0x8000_0000;

/** Values from this many records are kept as bits, which then take no more room. */
export const BITS_RECORDS_MIN = 4_096;

/** A segment as those who count see it. */
export interface SegmentView {
  /** Records, the dead among them. */
  readonly records: number;
  /** A bit per record: whether it is alive. */
  readonly live: Uint32Array;
  /** By dimension number; absent where no record has a value. */
  readonly columns: readonly (Column | undefined)[];
  /** By dimension number; absent as a whole while the segment is still being filled. */
  readonly postings: readonly (Postings | undefined)[] | undefined;
}

/** What has become of the segment in a slot. */
export type SegmentChange =
  | { readonly kind: 'put'; readonly slot: number; readonly segment: SegmentView }
  | { readonly kind: 'live'; readonly slot: number; readonly live: Uint32Array }
  | { readonly kind: 'drop'; readonly slot: number };

/** The segments of one entity by slot; holes where one was dropped. */
export type Segments = (SegmentView | undefined)[];

/** Brings the slots up to date. */
export function applyChanges(segments: Segments, changes: readonly SegmentChange[]): void {
  for (const change of changes) {
    if (change.kind === 'put') segments[change.slot] = change.segment;
    else if (change.kind === 'drop') segments[change.slot] = undefined;
    else {
      const segment = segments[change.slot];
      if (segment !== undefined) segments[change.slot] = { ...segment, live: change.live };
    }
  }
}

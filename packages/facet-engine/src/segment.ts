/**
 * The layout of records in memory. An entity has segments of at most 65,535 records. A view of a segment never changes,
 * so any number of threads may read it: the storing thread writes only beyond its records, and copies live bits before
 * it changes those of its records. All arrays are in shared memory.
 */
import type { LinkColumn } from './links.ts';

/** The index of a record in its segment fits in 16 bits, and so does the number of a set. */
export const SEGMENT_RECORDS_MAX = 65_535;

/** 32-bit words with a bit per record. */
export const SEGMENT_WORDS = 2_048;

/**
 * The values of one dimension. Each distinct set of values in the segment has a number; each record
 * has the number of its set. So a record takes one number in single-valued and multi-valued
 * dimensions alike. In a frozen segment, dimensions of few sets share the numbers: one number
 * then stands for a combination of their sets, and several for the same set.
 */
export interface SetColumn {
  readonly kind: 'sets';
  /** Number of the set, by record; the same array for columns that share the numbers. */
  readonly sets: Uint16Array;
  /** Number of sets, including empty ones. */
  readonly setCount: number;
  /** Set s has the values from `offsets[s]` to before `offsets[s + 1]`. */
  readonly offsets: Uint32Array;
  /** Ordinals within the dimension, ascending within a set. */
  readonly values: Uint32Array;
  /** No set has two values. */
  readonly isSingle: boolean;
}

/** Codes of free slots are below this: the index of the slot. */
export const FREE_SLOTS = 4;

/** Codes from this on are sets. */
export const FIRST_SET = 49_152;

/**
 * The values of one dimension where records hardly share sets: the values of a record are side by
 * side as 16-bit codes. Only frozen segments have such columns.
 */
export interface SlotColumn {
  readonly kind: 'slots';
  /** Slots per record. */
  readonly width: 1 | 2 | 4;
  /**
   * By record and slot: a value has its ordinal plus {@link FREE_SLOTS}. Of a record with more
   * values, or a higher ordinal than there are codes, the first slot has {@link FIRST_SET} plus
   * the number of its set, and the other slots are free.
   */
  readonly slots: Uint16Array;
  /** Of those sets, as in {@link SetColumn}. */
  readonly offsets: Uint32Array;
  readonly values: Uint32Array;
}

export type Column = SetColumn | SlotColumn;

/** The arrays of a column. */
export function arraysOf(column: Column): readonly (Uint16Array | Uint32Array)[] {
  const { offsets, values } = column;
  return [column.kind === 'slots' ? column.slots : column.sets, offsets, values];
}

/** The records of each value; dead records are included. */
export interface Postings {
  /** Values that occur, ascending. */
  readonly ordinals: Uint32Array;
  /** Number of records, by index in `ordinals`. */
  readonly sizes: Uint32Array;
  /** Start in `records`, or (from {@link BITS}) in `bits`, by index in `ordinals`. */
  readonly starts: Uint32Array;
  /** Record numbers, ascending for each value. */
  readonly records: Uint16Array;
  /** {@link SEGMENT_WORDS} words for each frequent value. */
  readonly bits: Uint32Array;
}

/** Added to the start, in words, of a value stored as bits. */
export const BITS = 0x8000_0000;

/** Values of at least so many records are stored as bits, which are then no larger than a list. */
export const BITS_RECORDS_MIN = 4_096;

/** A segment as readers receive it. Its links are by index of the entity's links. */
export interface SegmentView {
  /** Number of records, including dead ones. */
  readonly records: number;
  /** A bit per record, set if it is live. */
  readonly live: Uint32Array;
  /** Four words per record. */
  readonly ids: Uint32Array;
  /** By record, its number as the target of links; absent if nothing links to the entity. */
  readonly numbers: Uint32Array | undefined;
  readonly links: readonly LinkColumn[];
  /** By index of the entity's figures, the number of each record; NaN if it has none. */
  readonly figures: readonly Float64Array[];
  /** By dimension number; absent if no record has a value. */
  readonly columns: readonly (Column | undefined)[];
  /** By dimension number; a mutable segment has none. */
  readonly postings: readonly (Postings | undefined)[] | undefined;
}

/** A change of the segment in a slot. */
export type SegmentChange =
  | { readonly kind: 'put'; readonly slot: number; readonly segment: SegmentView }
  | { readonly kind: 'live'; readonly slot: number; readonly live: Uint32Array }
  | { readonly kind: 'drop'; readonly slot: number };

/** The segments of one entity by slot; undefined where one was dropped. */
export type Segments = (SegmentView | undefined)[];

/** Applies changes by entity. */
export function applyChanges(
  entities: Segments[],
  changes: readonly (readonly SegmentChange[])[],
): void {
  for (const [entity, ofEntity] of changes.entries()) {
    entities[entity] ??= [];
    for (const change of ofEntity) applyChange(entities[entity], change);
  }
}

function applyChange(segments: Segments, change: SegmentChange): void {
  const { kind, slot } = change;
  if (kind === 'put') segments[slot] = change.segment;
  else if (kind === 'drop') segments[slot] = undefined;
  else {
    const segment = segments[slot];
    if (segment !== undefined) segments[slot] = { ...segment, live: change.live };
  }
}

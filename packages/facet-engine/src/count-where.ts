import { listBits, markRecords } from './bits.ts';
import type { Where } from './count-job.ts';
import { type Column, SEGMENT_WORDS, type SegmentView } from './segment.ts';
import type { Selector } from './select.ts';

/** Memory for the bits of nested conditions, by depth. */
const levels: Uint32Array[] = [];

/** The number of live records of a segment, which the selector has entered, that meet a condition. */
export function countWhere(segment: SegmentView, where: Where, selector: Selector): number {
  const words = liveBits(segment, bitsOf(segment, where, selector));
  let count = 0;
  for (let w = 0; w < words; w++) count += ones(selected[w] as number);
  return count;
}

/** Lists the live records of a segment, which the selector has entered, that meet a condition; returns their number. */
export function listWhere(
  segment: SegmentView,
  where: Where | undefined,
  selector: Selector,
  into: Uint16Array,
): number {
  const bits = where === undefined ? segment.live : bitsOf(segment, where, selector);
  return listBits(selected, liveBits(segment, bits), into);
}

const selected = new Uint32Array(SEGMENT_WORDS);

/** Sets {@link selected} to the live records of the bits; returns the number of words. */
function liveBits({ live, records }: SegmentView, bits: Uint32Array): number {
  const words = (records + 31) >>> 5;
  for (let w = 0; w < words; w++) selected[w] = (live[w] as number) & (bits[w] as number);
  const rest = (1 << (records & 31)) - 1;
  if (rest !== 0) selected[words - 1] = (selected[words - 1] as number) & rest;
  return words;
}

/**
 * The records of a segment that meet a condition, dead ones included; valid until the next call.
 * Bits of numbers beyond the records are arbitrary.
 */
export function bitsOf(
  segment: SegmentView,
  where: Where,
  selector: Selector,
  depth = 0,
): Uint32Array {
  if (where.kind === 'group') return selector.bitsOf(where.group);
  levels[depth] ??= new Uint32Array(SEGMENT_WORDS);
  const bits = levels[depth];
  const words = (segment.records + 31) >>> 5;
  if (where.kind === 'figure') {
    markFigures(segment.figures[where.figure], segment.records, where, bits);
  } else if (where.kind === 'any') {
    bits.fill(0);
    markFilled(segment.columns[where.dimension], segment.records, bits);
  } else if (where.kind === 'not') {
    const of = bitsOf(segment, where.of, selector, depth + 1);
    for (let w = 0; w < words; w++) bits[w] = ~(of[w] as number);
  } else {
    const isAnd = where.kind === 'and';
    bits.fill(isAnd ? -1 : 0);
    for (const each of where.of)
      combine(bits, bitsOf(segment, each, selector, depth + 1), words, isAnd);
  }
  return bits;
}

function combine(into: Uint32Array, bits: Uint32Array, words: number, isAnd: boolean): void {
  if (isAnd) for (let w = 0; w < words; w++) into[w] = (into[w] as number) & (bits[w] as number);
  else for (let w = 0; w < words; w++) into[w] = (into[w] as number) | (bits[w] as number);
}

/** Sets the bits of the records whose figure is within the bounds, and clears those of the others. */
function markFigures(
  figures: Float64Array | undefined,
  records: number,
  { least, most }: { readonly least: number; readonly most: number },
  bits: Uint32Array,
): void {
  if (figures === undefined) {
    bits.fill(0);
    return;
  }
  for (let start = 0; start < records; start += 32) {
    const end = Math.min(start + 32, records);
    let word = 0;
    for (let r = start; r < end; r++) {
      const figure = figures[r] as number;
      if (figure >= least && figure <= most) word |= 1 << (r & 31);
    }
    bits[start >>> 5] = word;
  }
}

/** Sets the bits of the records that have a value. */
function markFilled(column: Column | undefined, records: number, bits: Uint32Array): void {
  if (column === undefined) return;
  if (column.kind === 'slots') {
    const { slots, width } = column;
    for (let r = 0; r < records; r++) {
      // The first slot of a record without values is 0.
      if (slots[r * width] !== 0) bits[r >>> 5] = (bits[r >>> 5] as number) | (1 << (r & 31));
    }
    return;
  }
  const { sets, setCount, offsets } = column;
  const filled = new Uint8Array(setCount);
  for (let set = 0; set < setCount; set++) {
    filled[set] = (offsets[set + 1] as number) > (offsets[set] as number) ? 1 : 0;
  }
  markRecords(sets, records, filled, bits);
}

/** The number of bits set in a word. */
function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x5555_5555);
  n = (n & 0x3333_3333) + ((n >>> 2) & 0x3333_3333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

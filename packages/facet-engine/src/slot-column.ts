import { Packer } from './packer.ts';
import type { SetColumn, SlotColumn } from './segment.ts';

/** In the first slot: the record has more values than slots, and the second has its set. */
const OVERFLOW = 0xffff;
/** Codes below {@link OVERFLOW}. */
const CODES_MAX = OVERFLOW;
/** Slots need more distinct sets than this share of the records. */
const SET_SHARE_MIN = 1 / 8;
/** At most this share of the records has more values than slots. */
const OVERFLOW_SHARE_MAX = 1 / 4;
/** Fewer records than this share of the distinct values are counted one by one. */
const LISTED_SHARE_MAX = 1 / 8;
const WIDTHS = [2, 4] as const;

/** The sizes of a column in slots. */
export interface SlotLayout {
  readonly width: SlotColumn['width'];
  /** Sets of more values than slots, and their values. */
  readonly sets: number;
  readonly values: number;
}

/** Selected records by code; all 0 between uses. */
const tallies = new Uint32Array(CODES_MAX + 1);
const record = { ordinals: new Uint32Array(64), length: 0 };

/**
 * The layout of a column whose records are counted faster in slots; undefined if most records
 * share sets, have too many values, or the column has too many distinct values.
 *
 * @param distinct number of distinct values
 */
export function slotLayoutOf(
  { sets, setCount, offsets, isSingle }: SetColumn,
  records: number,
  distinct: number,
): SlotLayout | undefined {
  if (isSingle || setCount <= records * SET_SHARE_MIN) return undefined;
  const lengthOf = (set: number) => (offsets[set + 1] as number) - (offsets[set] as number);
  for (const width of WIDTHS) {
    let overflowing = 0;
    for (let r = 0; r < records; r++) if (lengthOf(sets[r] as number) > width) overflowing += 1;
    if (overflowing > records * OVERFLOW_SHARE_MAX || distinct + width > CODES_MAX) continue;
    let count = 0;
    let values = 0;
    for (let set = 1; set < setCount; set++) {
      if (lengthOf(set) <= width) continue;
      count += 1;
      values += lengthOf(set);
    }
    return { width, sets: count, values };
  }
  return undefined;
}

/** Bytes of the column beside the ordinals, which it shares with the postings. */
export function slotBytes({ width, sets, values }: SlotLayout, records: number): number {
  return Packer.bytes16(width * records) + Packer.bytes32(sets + 1) + Packer.bytes32(values);
}

/** @param ordinals the distinct values of the column, ascending */
export function packSlots(
  column: SetColumn,
  { width, ...sizes }: SlotLayout,
  records: number,
  ordinals: Uint32Array,
  packer: Packer,
): SlotColumn {
  const slots = packer.uint16(width * records);
  const offsets = packer.uint32(sizes.sets + 1);
  const values = packer.uint32(sizes.values);
  const codeOf = new Uint16Array((ordinals[ordinals.length - 1] ?? 0) + 1);
  for (let i = 0; i < ordinals.length; i++) codeOf[ordinals[i] as number] = i + width;
  const overflowOf = new Uint16Array(column.setCount);
  let overflows = 0;
  for (let set = 1; set < column.setCount; set++) {
    const from = column.offsets[set] as number;
    const to = column.offsets[set + 1] as number;
    if (to - from <= width) continue;
    values.set(column.values.subarray(from, to), offsets[overflows]);
    offsets[overflows + 1] = (offsets[overflows] as number) + to - from;
    overflowOf[set] = overflows;
    overflows += 1;
  }
  for (let r = 0; r < records; r++) {
    const set = column.sets[r] as number;
    const from = column.offsets[set] as number;
    const length = (column.offsets[set + 1] as number) - from;
    if (length > width) {
      slots[r * width] = OVERFLOW;
      slots[r * width + 1] = overflowOf[set] as number;
      continue;
    }
    for (let i = 0; i < width; i++) {
      slots[r * width + i] = i < length ? (codeOf[column.values[from + i] as number] as number) : i;
    }
  }
  return { kind: 'slots', width, slots, ordinals, offsets, values };
}

/** The ordinals of a record, ascending, in an array that the next call reuses. */
export function readSlots(
  { width, slots, ordinals, offsets, values }: SlotColumn,
  number: number,
): Readonly<typeof record> {
  const at = number * width;
  const isOverflow = slots[at] === OVERFLOW;
  const set = slots[at + 1] as number;
  const from = isOverflow ? (offsets[set] as number) : 0;
  const to = isOverflow ? (offsets[set + 1] as number) : width;
  if (to - from > record.ordinals.length) record.ordinals = new Uint32Array((to - from) * 2);
  record.length = 0;
  for (let i = from; i < to; i++) {
    const code = isOverflow ? 0 : (slots[at + i] as number);
    if (!isOverflow && code < width) break;
    record.ordinals[record.length] = (isOverflow ? values[i] : ordinals[code - width]) as number;
    record.length += 1;
  }
  return record;
}

/** Adds the values of the first `count` records. */
export function countSlots(
  column: SlotColumn,
  records: Uint16Array,
  count: number,
  table: Uint32Array,
): void {
  const { width, ordinals } = column;
  if (count < ordinals.length * LISTED_SHARE_MAX) {
    countListed(column, records, count, table);
    return;
  }
  if (width === 2) tallyTwo(column, records, count, table);
  else tallyFour(column, records, count, table);
  tallies.fill(0, 0, width);
  for (let i = 0; i < ordinals.length; i++) {
    const tally = tallies[i + width] as number;
    if (tally === 0) continue;
    tallies[i + width] = 0;
    const ordinal = ordinals[i] as number;
    table[ordinal] = (table[ordinal] as number) + tally;
  }
}

/** For few records: reading the tallies of all values would take longer. */
function countListed(
  column: SlotColumn,
  records: Uint16Array,
  count: number,
  table: Uint32Array,
): void {
  for (let r = 0; r < count; r++) {
    const { ordinals, length } = readSlots(column, records[r] as number);
    for (let i = 0; i < length; i++) {
      const ordinal = ordinals[i] as number;
      table[ordinal] = (table[ordinal] as number) + 1;
    }
  }
}

// Two functions without an inner loop, whose end the processor could not predict.
function tallyTwo(
  { slots, offsets, values }: SlotColumn,
  records: Uint16Array,
  count: number,
  table: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const at = (records[i] as number) * 2;
    const first = slots[at] as number;
    const second = slots[at + 1] as number;
    if (first === OVERFLOW) addSet(offsets, values, second, table);
    else {
      tallies[first] = (tallies[first] as number) + 1;
      tallies[second] = (tallies[second] as number) + 1;
    }
  }
}

function tallyFour(
  { slots, offsets, values }: SlotColumn,
  records: Uint16Array,
  count: number,
  table: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const at = (records[i] as number) * 4;
    const first = slots[at] as number;
    const second = slots[at + 1] as number;
    if (first === OVERFLOW) addSet(offsets, values, second, table);
    else {
      const third = slots[at + 2] as number;
      const fourth = slots[at + 3] as number;
      tallies[first] = (tallies[first] as number) + 1;
      tallies[second] = (tallies[second] as number) + 1;
      tallies[third] = (tallies[third] as number) + 1;
      tallies[fourth] = (tallies[fourth] as number) + 1;
    }
  }
}

function addSet(offsets: Uint32Array, values: Uint32Array, set: number, table: Uint32Array): void {
  const end = offsets[set + 1] as number;
  for (let i = offsets[set] as number; i < end; i++) {
    const value = values[i] as number;
    table[value] = (table[value] as number) + 1;
  }
}

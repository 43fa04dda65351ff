import { Packer } from './packer.ts';
import { FIRST_SET, FREE_SLOTS, type SetColumn, type SlotColumn } from './segment.ts';

/**
 * The narrowest layout is used that leaves at most a share of the records for sets. Slots need more
 * distinct sets than a share of the records: else counting sets is faster.
 */
const LAYOUTS = [
  { width: 1, overflowShareMax: 1 / 8, setShareMin: 1 / 32 },
  { width: 2, overflowShareMax: 1 / 4, setShareMin: 1 / 8 },
  { width: 4, overflowShareMax: 1 / 4, setShareMin: 1 / 8 },
] as const;
/** Higher ordinals have no code. */
const ORDINALS_MAX = FIRST_SET - FREE_SLOTS;

/** The sizes of a column in slots. */
export interface SlotLayout {
  readonly width: SlotColumn['width'];
  /** Sets that do not fit in the slots, and their values. */
  readonly sets: number;
  readonly values: number;
}

const record = { ordinals: new Uint32Array(64), length: 0 };

/**
 * The layout of a column whose records are counted faster in slots; undefined if most records
 * share sets, have too many values, or values without a code.
 */
export function slotLayoutOf(column: SetColumn, records: number): SlotLayout | undefined {
  const { sets, setCount, offsets, isSingle } = column;
  if (isSingle) return undefined;
  for (const { width, overflowShareMax, setShareMin } of LAYOUTS) {
    if (setCount <= records * setShareMin) continue;
    let overflowing = 0;
    for (let r = 0; r < records; r++) if (!fits(column, sets[r] as number, width)) overflowing += 1;
    if (overflowing > records * overflowShareMax) continue;
    let count = 0;
    let values = 0;
    for (let set = 0; set < setCount; set++) {
      if (fits(column, set, width)) continue;
      count += 1;
      values += (offsets[set + 1] as number) - (offsets[set] as number);
    }
    return { width, sets: count, values };
  }
  return undefined;
}

/** Whether there are slots for the values of a set, and codes. */
function fits({ offsets, values }: SetColumn, set: number, width: number): boolean {
  const from = offsets[set] as number;
  const to = offsets[set + 1] as number;
  // Ordinals ascend: the last is the highest.
  return to - from <= width && (to === from || (values[to - 1] as number) < ORDINALS_MAX);
}

export function slotBytes({ width, sets, values }: SlotLayout, records: number): number {
  return Packer.bytes16(width * records) + Packer.bytes32(sets + 1) + Packer.bytes32(values);
}

export function packSlots(
  column: SetColumn,
  { width, ...sizes }: SlotLayout,
  records: number,
  packer: Packer,
): SlotColumn {
  const slots = packer.uint16(width * records);
  const offsets = packer.uint32(sizes.sets + 1);
  const values = packer.uint32(sizes.values);
  const codeOf = new Uint16Array(column.setCount);
  let overflows = 0;
  for (let set = 0; set < column.setCount; set++) {
    if (fits(column, set, width)) continue;
    const from = column.offsets[set] as number;
    const to = column.offsets[set + 1] as number;
    values.set(column.values.subarray(from, to), offsets[overflows]);
    offsets[overflows + 1] = (offsets[overflows] as number) + to - from;
    codeOf[set] = FIRST_SET + overflows;
    overflows += 1;
  }
  for (let r = 0; r < records; r++) {
    const set = column.sets[r] as number;
    const from = column.offsets[set] as number;
    const length = (column.offsets[set + 1] as number) - from;
    const at = r * width;
    for (let i = 0; i < width; i++) {
      slots[at + i] = i < length ? FREE_SLOTS + (column.values[from + i] as number) : i;
    }
    if (codeOf[set] === 0) continue;
    slots[at] = codeOf[set] as number;
    for (let i = 1; i < width; i++) slots[at + i] = i;
  }
  return { kind: 'slots', width, slots, offsets, values };
}

/** The ordinals of a record, ascending, in an array that the next call reuses. */
export function readSlots(
  { width, slots, offsets, values }: SlotColumn,
  number: number,
): Readonly<typeof record> {
  const at = number * width;
  const set = (slots[at] as number) - FIRST_SET;
  record.length = 0;
  if (set >= 0) {
    const from = offsets[set] as number;
    const to = offsets[set + 1] as number;
    if (to - from > record.ordinals.length) record.ordinals = new Uint32Array((to - from) * 2);
    for (let i = from; i < to; i++) record.ordinals[record.length++] = values[i] as number;
    return record;
  }
  for (let i = at; i < at + width; i++) {
    const code = slots[i] as number;
    if (code < FREE_SLOTS) break;
    record.ordinals[record.length++] = code - FREE_SLOTS;
  }
  return record;
}

/**
 * Adds the values of the first `count` records.
 *
 * @param codes the counts by code; those of free slots are arbitrary
 */
export function countSlots(
  column: SlotColumn,
  records: Uint16Array,
  count: number,
  codes: Uint32Array,
): void {
  if (column.width === 1) countOne(column, records, count, codes);
  else if (column.width === 2) countTwo(column, records, count, codes);
  else countFour(column, records, count, codes);
}

// Three functions without an inner loop, whose end the processor could not predict.
function countOne(
  { slots, offsets, values }: SlotColumn,
  records: Uint16Array,
  count: number,
  codes: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const code = slots[records[i] as number] as number;
    if (code >= FIRST_SET) addSet(offsets, values, code - FIRST_SET, codes);
    else codes[code] = (codes[code] as number) + 1;
  }
}

function countTwo(
  { slots, offsets, values }: SlotColumn,
  records: Uint16Array,
  count: number,
  codes: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const at = (records[i] as number) * 2;
    const first = slots[at] as number;
    if (first >= FIRST_SET) addSet(offsets, values, first - FIRST_SET, codes);
    else {
      const second = slots[at + 1] as number;
      codes[first] = (codes[first] as number) + 1;
      codes[second] = (codes[second] as number) + 1;
    }
  }
}

function countFour(
  { slots, offsets, values }: SlotColumn,
  records: Uint16Array,
  count: number,
  codes: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    const at = (records[i] as number) * 4;
    const first = slots[at] as number;
    if (first >= FIRST_SET) addSet(offsets, values, first - FIRST_SET, codes);
    else {
      const second = slots[at + 1] as number;
      const third = slots[at + 2] as number;
      const fourth = slots[at + 3] as number;
      codes[first] = (codes[first] as number) + 1;
      codes[second] = (codes[second] as number) + 1;
      codes[third] = (codes[third] as number) + 1;
      codes[fourth] = (codes[fourth] as number) + 1;
    }
  }
}

function addSet(offsets: Uint32Array, values: Uint32Array, set: number, codes: Uint32Array): void {
  const end = offsets[set + 1] as number;
  for (let i = offsets[set] as number; i < end; i++) {
    const code = FREE_SLOTS + (values[i] as number);
    codes[code] = (codes[code] as number) + 1;
  }
}

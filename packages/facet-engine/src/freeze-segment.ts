import { Packer } from './packer.ts';
import {
  BITS,
  type Column,
  type Postings,
  SEGMENT_WORDS,
  type SegmentView,
  type SetColumn,
} from './segment.ts';
import { shareSets } from './share-sets.ts';
import type { SharedMemory } from './shared-memory.ts';
import { packSlots, type SlotLayout, slotBytes, slotLayoutOf } from './slot-column.ts';

/** The sizes of the postings of a column. */
interface Frequencies {
  /** Values that occur, ascending. */
  readonly ordinals: Uint32Array;
  readonly sizes: Uint32Array;
  /** Records of the values stored as lists. */
  readonly listed: number;
  /** Values stored as bits. */
  readonly frequent: number;
  /** The layout of the column if its values are packed into slots. */
  readonly slots: SlotLayout | undefined;
}

/**
 * Copies a full segment into one buffer and adds the postings of all its columns; values of at
 * least `bitsRecordsMin` records are stored as bits. The live bits, ids, numbers and links stay in their own buffers.
 */
export function freezeSegment(
  view: SegmentView,
  bitsRecordsMin: number,
  memory: SharedMemory,
): SegmentView {
  const { records } = view;
  const filled = view.columns.map((column) => (column?.kind === 'sets' ? column : undefined));
  const frequencies = filled.map(
    (column) => column && frequenciesOf(column, records, bitsRecordsMin),
  );
  const inSets = shareSets(
    filled.map((column, d) => (frequencies[d]?.slots === undefined ? column : undefined)),
    records,
  );
  const arrays = new Set(inSets.flatMap((column) => column?.sets ?? []));
  let bytes = arrays.size * Packer.bytes16(records);
  for (const found of frequencies) if (found) bytes += postingBytes(records, found);
  for (const column of inSets) if (column) bytes += setBytes(column);
  const packer = new Packer(memory.allocate(bytes));
  const postings = filled.map((column, d) => {
    const found = frequencies[d];
    return column && found && packPostings(column, records, found, bitsRecordsMin, packer);
  });
  const packed = new Map(Array.from(arrays, (sets) => [sets, packNumbers(sets, records, packer)]));
  const columns = filled.map((column, d): Column | undefined => {
    const { slots } = frequencies[d] ?? {};
    const sets = inSets[d];
    const numbers = sets && packed.get(sets.sets);
    if (sets !== undefined && numbers !== undefined) return packSets(sets, numbers, packer);
    return column && slots && packSlots(column, slots, records, packer);
  });
  return { ...view, columns, postings };
}

function frequenciesOf(column: SetColumn, records: number, bitsRecordsMin: number): Frequencies {
  const { sets, setCount, offsets, values } = column;
  const used = new Uint32Array(setCount);
  for (let r = 0; r < records; r++) {
    const set = sets[r] as number;
    used[set] = (used[set] as number) + 1;
  }
  const { counts, touched } = scratchFor(highest(values, offsets[setCount] as number) + 1);
  let distinct = 0;
  for (let set = 1; set < setCount; set++) {
    const times = used[set] as number;
    for (let i = offsets[set] as number; i < (offsets[set + 1] as number); i++) {
      const value = values[i] as number;
      const count = counts[value] as number;
      if (count === 0) touched[distinct++] = value;
      counts[value] = count + times;
    }
  }
  const ordinals = touched.slice(0, distinct).sort();
  const sizes = ordinals.map((ordinal) => counts[ordinal] as number);
  for (const ordinal of ordinals) counts[ordinal] = 0;
  let listed = 0;
  let frequent = 0;
  for (const size of sizes) {
    if (size < bitsRecordsMin) listed += size;
    else frequent += 1;
  }
  return { ordinals, sizes, listed, frequent, slots: slotLayoutOf(column, records) };
}

/** Counts by ordinal, all 0 between uses, and the ordinals found. */
let scratch = { counts: new Uint32Array(0), touched: new Uint32Array(0) };

function scratchFor(length: number): typeof scratch {
  if (length > scratch.counts.length) {
    scratch = { counts: new Uint32Array(length), touched: new Uint32Array(length) };
  }
  return scratch;
}

function highest(values: Uint32Array, length: number): number {
  let found = 0;
  for (let i = 0; i < length; i++) {
    const value = values[i] as number;
    if (value > found) found = value;
  }
  return found;
}

/** Bytes of the postings, and of the slots if the column has some. */
function postingBytes(records: number, found: Frequencies): number {
  return (
    (found.slots === undefined ? 0 : slotBytes(found.slots, records)) +
    3 * Packer.bytes32(found.ordinals.length) +
    Packer.bytes16(found.listed) +
    Packer.bytes32(found.frequent * SEGMENT_WORDS)
  );
}

/** Bytes of the column beside the numbers of its records. */
function setBytes({ setCount, offsets }: SetColumn): number {
  return Packer.bytes32(setCount + 1) + Packer.bytes32(offsets[setCount] as number);
}

function packNumbers(sets: Uint16Array, records: number, packer: Packer): Uint16Array {
  const numbers = packer.uint16(records);
  numbers.set(sets.subarray(0, records));
  return numbers;
}

function packSets(column: SetColumn, numbers: Uint16Array, packer: Packer): SetColumn {
  const { setCount, isSingle } = column;
  const offsets = packer.uint32(setCount + 1);
  offsets.set(column.offsets.subarray(0, setCount + 1));
  const values = packer.uint32(offsets[setCount] as number);
  values.set(column.values.subarray(0, values.length));
  return { kind: 'sets', sets: numbers, setCount, offsets, values, isSingle };
}

function packPostings(
  column: SetColumn,
  recordCount: number,
  found: Frequencies,
  bitsRecordsMin: number,
  packer: Packer,
): Postings {
  const ordinals = packer.uint32(found.ordinals.length);
  ordinals.set(found.ordinals);
  const sizes = packer.uint32(ordinals.length);
  sizes.set(found.sizes);
  const starts = packer.uint32(ordinals.length);
  const records = packer.uint16(found.listed);
  const bits = packer.uint32(found.frequent * SEGMENT_WORDS);
  let list = 0;
  let words = 0;
  for (let p = 0; p < sizes.length; p++) {
    const size = sizes[p] as number;
    if (size < bitsRecordsMin) {
      starts[p] = list;
      list += size;
    } else {
      starts[p] = BITS + words;
      words += SEGMENT_WORDS;
    }
  }
  const postings = { ordinals, sizes, starts, records, bits };
  fillPostings(column, recordCount, postings);
  return postings;
}

function fillPostings(
  column: SetColumn,
  recordCount: number,
  { ordinals, starts, records, bits }: Postings,
): void {
  const { sets, offsets, values } = column;
  const postingOf = new Uint32Array((ordinals[ordinals.length - 1] ?? 0) + 1);
  for (let p = 0; p < ordinals.length; p++) postingOf[ordinals[p] as number] = p;
  const used = values.subarray(0, offsets[column.setCount]);
  const postings = used.map((value) => postingOf[value] as number);
  const next = starts.slice();
  for (let r = 0; r < recordCount; r++) {
    const set = sets[r] as number;
    for (let i = offsets[set] as number; i < (offsets[set + 1] as number); i++) {
      const posting = postings[i] as number;
      const at = next[posting] as number;
      if (at >= BITS) {
        const word = at - BITS + (r >>> 5);
        bits[word] = (bits[word] as number) | (1 << (r & 31));
      } else {
        records[at] = r;
        next[posting] = at + 1;
      }
    }
  }
}

import { withRoom } from './arrays.ts';
import type { SetColumn } from './segment.ts';
import type { SharedMemory } from './shared-memory.ts';

const SETS_START = 64;

/**
 * A column to which records are appended. Readers have views of it: the part of an array in a view
 * is never written again, and an array that is too short is replaced by a longer copy.
 */
export class MutableColumn {
  readonly kind = 'sets';
  sets: Uint16Array;
  offsets: Uint32Array;
  values: Uint32Array;
  setCount = 1;
  isSingle = true;
  /** Number of the set of one value, by value; 0 if it has none yet. */
  #singles = new Uint16Array(SETS_START);
  /** Hash table: numbers of sets of several values; 0 if free. */
  #table = new Uint16Array(SETS_START);
  #manyCount = 0;

  readonly #memory: SharedMemory;

  constructor(memory: SharedMemory, capacity: number) {
    this.#memory = memory;
    this.sets = memory.uint16(capacity);
    this.offsets = memory.uint32(SETS_START);
    this.values = memory.uint32(SETS_START);
  }

  /** Bytes beside the shared memory. */
  get bytes(): number {
    return this.#singles.byteLength + this.#table.byteLength;
  }

  /** Sets a record's values: those from `from` to before `to`, ascending, at least one. */
  put(record: number, ordinals: Uint32Array, from: number, to: number): void {
    const one = to - from === 1;
    this.sets[record] = one
      ? this.#setOfOne(ordinals[from] as number)
      : this.#setOfMany(ordinals, from, to);
  }

  /** Makes room for so many records. */
  reserve(capacity: number): void {
    if (capacity > this.sets.length) this.sets = this.#memory.copied16(this.sets, capacity);
  }

  view(): SetColumn {
    const { sets, setCount, offsets, values, isSingle } = this;
    return { kind: 'sets', sets, setCount, offsets, values, isSingle };
  }

  #setOfOne(value: number): number {
    if (value >= this.#singles.length) this.#singles = withRoom(this.#singles, value + 1);
    const existing = this.#singles[value] as number;
    if (existing !== 0) return existing;
    const set = this.#addSet(1);
    this.values[this.offsets[set] as number] = value;
    this.#singles[value] = set;
    return set;
  }

  #setOfMany(ordinals: Uint32Array, from: number, to: number): number {
    if (this.#manyCount * 2 >= this.#table.length) this.#rehash();
    const mask = this.#table.length - 1;
    let entry = hash(ordinals, from, to) & mask;
    for (;;) {
      const set = this.#table[entry] as number;
      if (set === 0) break;
      if (this.#isSet(set, ordinals, from, to)) return set;
      entry = (entry + 1) & mask;
    }
    this.isSingle = false;
    const set = this.#addSet(to - from);
    const start = this.offsets[set] as number;
    for (let i = from; i < to; i++) this.values[start + i - from] = ordinals[i] as number;
    this.#table[entry] = set;
    this.#manyCount += 1;
    return set;
  }

  #isSet(set: number, ordinals: Uint32Array, from: number, to: number): boolean {
    const start = this.offsets[set] as number;
    if ((this.offsets[set + 1] as number) - start !== to - from) return false;
    for (let i = from; i < to; i++) {
      if (this.values[start + i - from] !== ordinals[i]) return false;
    }
    return true;
  }

  /** Adds a set of so many values, which the caller writes; returns its number. */
  #addSet(length: number): number {
    const set = this.setCount;
    const start = this.offsets[set] as number;
    if (set + 2 > this.offsets.length) {
      this.offsets = this.#memory.copied32(this.offsets, this.offsets.length * 2);
    }
    if (start + length > this.values.length) {
      const needed = Math.max(start + length, this.values.length * 2);
      this.values = this.#memory.copied32(this.values, needed);
    }
    this.offsets[set + 1] = start + length;
    this.setCount = set + 1;
    return set;
  }

  #rehash(): void {
    const table = new Uint16Array(this.#table.length * 2);
    const mask = table.length - 1;
    for (let set = 1; set < this.setCount; set++) {
      const from = this.offsets[set] as number;
      const to = this.offsets[set + 1] as number;
      if (to - from < 2) continue;
      let entry = hash(this.values, from, to) & mask;
      while (table[entry] !== 0) entry = (entry + 1) & mask;
      table[entry] = set;
    }
    this.#table = table;
  }
}

function hash(ordinals: Uint32Array, from: number, to: number): number {
  let mixed = to - from;
  for (let i = from; i < to; i++) {
    mixed = Math.imul(mixed ^ (ordinals[i] as number), 0x9e37_79b1);
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}

import type { Column } from './segment.ts';
import type { SharedMemory } from './shared-memory.ts';

const SETS_START = 64;

/**
 * A column that is still being filled. Readers hold views of it: what they see of an array is
 * never written again, and an array that is too short is replaced, not moved.
 */
export class MutableColumn {
  sets: Uint16Array;
  offsets: Uint32Array;
  values: Uint32Array;
  setCount = 1;
  isSingle = true;
  /** Number of the set of one value, by value; 0 where there is none yet. */
  #singles = new Uint16Array(SETS_START);
  /** Numbers of sets of several values, by hash; 0 where free. */
  #table = new Uint16Array(SETS_START);
  #manyCount = 0;

  readonly #memory: SharedMemory;

  constructor(memory: SharedMemory, capacity: number) {
    this.#memory = memory;
    this.sets = memory.uint16(capacity);
    this.offsets = memory.uint32(SETS_START);
    this.values = memory.uint32(SETS_START);
  }

  get valueCount(): number {
    return this.offsets[this.setCount] as number;
  }

  /** Bytes beside the shared memory. */
  get bytes(): number {
    return this.#singles.byteLength + this.#table.byteLength;
  }

  /** Gives a record the values from `from` to before `to`, ascending: at least one. */
  put(record: number, ordinals: Uint32Array, from: number, to: number): void {
    const one = to - from === 1;
    this.sets[record] = one
      ? this.#setOfOne(ordinals[from] as number)
      : this.#setOfMany(ordinals, from, to);
  }

  /** Makes room for records up to the capacity. */
  reserve(capacity: number): void {
    if (capacity > this.sets.length) this.sets = this.#memory.grown16(this.sets, capacity);
  }

  view(): Column {
    const { sets, setCount, offsets, values, isSingle } = this;
    return { sets, setCount, offsets, values, isSingle };
  }

  #setOfOne(value: number): number {
    if (value >= this.#singles.length) {
      const grown = new Uint16Array(Math.max(value + 1, this.#singles.length * 2));
      grown.set(this.#singles);
      this.#singles = grown;
    }
    const known = this.#singles[value] as number;
    if (known !== 0) return known;
    const set = this.#beginSet(1);
    this.values[this.offsets[set] as number] = value;
    this.#singles[value] = set;
    return set;
  }

  #setOfMany(ordinals: Uint32Array, from: number, to: number): number {
    if (this.#manyCount * 2 >= this.#table.length) this.#rehash();
    const mask = this.#table.length - 1;
    let place = hash(ordinals, from, to) & mask;
    for (;;) {
      const set = this.#table[place] as number;
      if (set === 0) break;
      if (this.#isSet(set, ordinals, from, to)) return set;
      place = (place + 1) & mask;
    }
    this.isSingle = false;
    const set = this.#beginSet(to - from);
    const start = this.offsets[set] as number;
    for (let i = from; i < to; i++) this.values[start + i - from] = ordinals[i] as number;
    this.#table[place] = set;
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

  /** The number of a new set of so many values, still to be written. */
  #beginSet(length: number): number {
    const set = this.setCount;
    const start = this.valueCount;
    if (set + 2 > this.offsets.length) {
      this.offsets = this.#memory.grown32(this.offsets, this.offsets.length * 2);
    }
    if (start + length > this.values.length) {
      const needed = Math.max(start + length, this.values.length * 2);
      this.values = this.#memory.grown32(this.values, needed);
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
      let place = hash(this.values, from, to) & mask;
      while (table[place] !== 0) place = (place + 1) & mask;
      table[place] = set;
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

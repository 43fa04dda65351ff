import { sizeClass } from './features.ts';

/** Larger lists of a key say nothing: too many have it. */
export const BLOCK_MAX = 40;
/** Statements that one index holds: keys and positions share the 53 bits of a number. */
export const STATEMENTS_MAX = 2 ** 24;
const PAIR_BASE = 2 ** 26;

/** A list of numbers that grows outside the heap. */
class Numbers {
  #values = new Float64Array(1_024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const values = new Float64Array(this.#length * 2);
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[this.#length++] = value;
  }

  /** The values in ascending order; the list is empty afterwards. */
  sorted(): Float64Array {
    const values = this.#values.subarray(0, this.#length).sort();
    this.#values = new Float64Array(0);
    this.#length = 0;
    return values;
  }
}

/**
 * Finds the pairs of statements that share a key of at most {@link BLOCK_MAX} statements. Memory: 8
 * bytes a key and 8 bytes a pair; time: sorting them. Keys of which positions leave too few bits may
 * fall together, which costs a comparison and changes no decision.
 */
export class BlockIndex {
  readonly #keyBase: number;
  readonly #positions: number;
  #entries = new Numbers();
  readonly #sources: number[] = [];
  #crowdKeys: Float64Array = new Float64Array(0);
  #crowdCounts: Float64Array = new Float64Array(0);

  /** @param statementsMax how many will be added at most. */
  constructor(statementsMax: number) {
    if (statementsMax > STATEMENTS_MAX) throw new RangeError('There are too many statements.');
    this.#positions = 2 ** Math.ceil(Math.log2(Math.max(statementsMax, 2)));
    this.#keyBase = Math.min(2 ** 32, 2 ** 53 / this.#positions);
  }

  /** Adds the next statement; its position is the number of those added before. */
  add(source: number, keys: readonly number[]): void {
    const position = this.#sources.length;
    this.#sources.push(source);
    for (const key of keys) this.#entries.push(this.#bits(key) * this.#positions + position);
  }

  /** The pairs of positions of different sources, as `low * 2^26 + high`, ascending; once. */
  pairs(): Float64Array {
    const pairs = new Numbers();
    const keys = new Numbers();
    const counts: number[] = [];
    const entries = this.#entries.sorted();
    for (let start = 0; start < entries.length; ) {
      const key = Math.floor((entries[start] ?? 0) / this.#positions);
      const end = endOfKey(entries, start, (key + 1) * this.#positions);
      const block = entries.subarray(start, end);
      if (block.length > 1) {
        const crowd = this.#addBlock(block, key * this.#positions, pairs);
        if (crowd > 1) {
          keys.push(key);
          counts.push(crowd);
        }
      }
      start = end;
    }
    this.#crowdKeys = keys.sorted();
    this.#crowdCounts = Float64Array.from(counts);
    return unique(pairs.sorted());
  }

  /** The class of the largest number of statements of one source that have a key; known after {@link pairs}. */
  holders(key: number): number {
    const sought = this.#bits(key);
    let [low, high] = [0, this.#crowdKeys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#crowdKeys[middle] ?? 0) < sought) low = middle + 1;
      else high = middle;
    }
    return this.#crowdKeys[low] === sought ? sizeClass(this.#crowdCounts[low] ?? 1) : 1;
  }

  #bits(key: number): number {
    return (key >>> 0) % this.#keyBase;
  }

  #addBlock(block: Float64Array, base: number, pairs: Numbers): number {
    const perSource = new Map<number, number>();
    let crowd = 1;
    for (const entry of block) {
      const source = this.#sources[entry - base] ?? -1;
      const count = (perSource.get(source) ?? 0) + 1;
      perSource.set(source, count);
      if (count > crowd) crowd = count;
    }
    if (block.length > BLOCK_MAX || perSource.size === 1) return crowd;
    for (let i = 0; i < block.length; i += 1) {
      const low = (block[i] ?? 0) - base;
      for (let j = i + 1; j < block.length; j += 1) {
        const high = (block[j] ?? 0) - base;
        if (this.#sources[low] !== this.#sources[high]) pairs.push(low * PAIR_BASE + high);
      }
    }
    return crowd;
  }
}

/** The positions of a pair. */
export function positionsOf(pair: number): readonly [number, number] {
  return [Math.floor(pair / PAIR_BASE), pair % PAIR_BASE];
}

function endOfKey(entries: Float64Array, start: number, next: number): number {
  let end = start + 1;
  while (end < entries.length && (entries[end] ?? 0) < next) end += 1;
  return end;
}

function unique(sorted: Float64Array): Float64Array {
  let length = 0;
  for (const value of sorted) {
    if (length === 0 || value !== sorted[length - 1]) sorted[length++] = value;
  }
  return sorted.subarray(0, length);
}

/**
 * Random numbers that depend only on their purpose, such as a seed, a kind of record and its index:
 * any record can be generated alone, in any order. All operations are exact, so every machine
 * generates the same numbers.
 */
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** The random numbers of one purpose: equal parts give equal numbers. */
export class Random {
  readonly #generator: { next(): number };

  constructor(...purpose: readonly (number | string)[]) {
    const first = hash(...purpose) | 0;
    const second = scramble(first ^ 0x243f6a88);
    this.#generator = xoroshiro128plusFromState([first, second, scramble(second ^ 0x13198a2e), 1]);
  }

  /** A number from 0 to 1, exclusive. */
  unit(): number {
    return (this.#generator.next() >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to `limit`, exclusive. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** The value with a probability, else null. */
  maybe<T>(probability: number, value: T): T | null {
    return this.chance(probability) ? value : null;
  }

  /** One of the items. Throws an Error if there are none. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('no items to pick from');
    return item;
  }

  /** One of the items, the first ones most often. */
  skewedPick<T>(items: readonly T[]): T {
    return this.pick(items.slice(0, 1 + this.below(items.length)));
  }

  /** An integer below `limit`; the first ones ten times as often as the average. */
  skewedBelow(limit: number): number {
    const position = this.unit() + 0.25;
    return Math.floor((limit * (position * position * position - 1 / 64)) / (124 / 64));
  }

  /** A number of a distribution given by evenly spaced quantiles. */
  quantile(quantiles: readonly number[]): number {
    return quantileAt(quantiles, this.unit());
  }
}

/** The value at a position, from 0 to 1, of a distribution given by evenly spaced quantiles. */
export function quantileAt(quantiles: readonly number[], position: number): number {
  const scaled = position * (quantiles.length - 1);
  const index = Math.floor(scaled);
  const low = quantiles[index] ?? 0;
  return low + ((quantiles[index + 1] ?? low) - low) * (scaled - index);
}

/** A function that draws values by weight; `[3, 1].entries()` draws 0 three times as often as 1. */
export function weighted<T>(rows: Iterable<readonly [T, number]>): (random: Random) => T {
  const table = [...rows];
  const total = table.reduce((sum, [, weight]) => sum + weight, 0);
  const slots: T[] = [];
  let reached = 0;
  for (const [value, weight] of table) {
    reached += weight;
    while (slots.length < Math.round((reached / total) * 8192)) slots.push(value);
  }
  return (random) => random.pick(slots);
}

/** The same for words, as `word=weight|word=weight`. */
export const weightedWords = (rows: string): ((random: Random) => string) =>
  weighted(
    rows.split('|').map((row) => {
      const [word = '', weight] = row.split('=');
      return [word, Number(weight)];
    }),
  );

/** An integer of 32 bits, from 0, that depends on all parts. */
export function hash(...parts: readonly (number | string)[]): number {
  let mixed = 0x9e3779b9;
  for (const part of parts) {
    if (typeof part === 'number') mixed = (scramble(mixed ^ part) + 0x9e3779b9) | 0;
    for (let at = 0; typeof part === 'string' && at < part.length; at += 1) {
      mixed = Math.imul(mixed ^ part.charCodeAt(at), 0x01000193);
    }
  }
  return scramble(mixed) >>> 0;
}

/** A bijection of 32 bits in which every output bit depends on every input bit. */
function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}

/**
 * A permutation of 0 … size - 1: the new position of `index`. Four Feistel rounds over the next
 * even power of two, repeated until the position is below `size`; nothing is stored.
 */
export function permuted(index: number, size: number, ...purpose: (number | string)[]): number {
  let halfBits = 1;
  while (2 ** (2 * halfBits) < size) halfBits += 1;
  const [mask, salt] = [2 ** halfBits - 1, hash(...purpose)];
  let position = index;
  do {
    let [left, right] = [position >>> halfBits, position & mask];
    for (let round = 0; round < 4; round += 1) {
      [left, right] = [right, left ^ (hash(salt, right, round) & mask)];
    }
    position = left * (mask + 1) + right;
  } while (position >= size);
  return position;
}

/**
 * Randomness that belongs to a record: a stream of numbers that hangs on nothing but the seed, the
 * kind of record and its index, so that any record can be made alone, in any order, again.
 * Only additions, multiplications, divisions and integer operations are used: those are exact in
 * IEEE 754, so a world is the same on every machine.
 */

const range = 2 ** 32;

/** What a stream is for: keeps the numbers of one kind of record apart from another's. */
export const streams = Object.freeze({
  brand: 1,
  startup: 2,
  funding: 3,
  syndicate: 4,
  person: 5,
  team: 6,
  fund: 7,
  angel: 8,
  news: 9,
  story: 10,
  shuffle: 11,
  reference: 12,
  holding: 13,
  fundStory: 14,
});

export type StreamKind = (typeof streams)[keyof typeof streams];

/** A small fast counting generator (sfc32), 128 bits of state. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: number, kind: StreamKind, index: number, part = 0) {
    this.a = hash(seed, kind, index, part) | 0;
    this.b = scramble(this.a ^ 0x243f6a88);
    this.c = scramble(this.b ^ 0x13198a2e);
    this.uint32();
  }

  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 up to, never reaching, 1. */
  fraction(): number {
    return this.uint32() / range;
  }

  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.uint32() < probability * range;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** A value of a distribution given by evenly spaced quantiles, from the least to the most. */
  quantile(quantiles: readonly number[]): number {
    return quantileAt(quantiles, this.fraction());
  }
}

/** The value at a place, from 0 to 1, of a distribution given by evenly spaced quantiles. */
export function quantileAt(quantiles: readonly number[], place: number): number {
  const position = place * (quantiles.length - 1);
  const index = Math.floor(position);
  const low = quantiles[index] ?? 0;
  const high = quantiles[index + 1] ?? low;
  return low + (high - low) * (position - index);
}

/** Values drawn by weight in constant time. Shares are exact to one part in 8,192. */
export class Weighted<T> {
  private readonly slots: readonly T[];

  constructor(rows: readonly (readonly [value: T, weight: number])[]) {
    const slotCount = 8192;
    const total = rows.reduce((sum, [, weight]) => sum + weight, 0);
    const slots: T[] = [];
    let reached = 0;
    for (const [value, weight] of rows) {
      reached += weight;
      const end = Math.round((reached / total) * slotCount);
      while (slots.length < end) slots.push(value);
    }
    this.slots = slots;
  }

  draw(random: Random): T {
    return random.pick(this.slots);
  }
}

/** Mixes four numbers into one of 32 bits. */
export function hash(first: number, second: number, third: number, fourth: number): number {
  let mixed = 0x9e3779b9;
  mixed = scramble(mixed ^ (first | 0));
  mixed = scramble((mixed + (second | 0)) | 0);
  mixed = scramble(mixed ^ (third | 0));
  mixed = scramble((mixed + (fourth | 0)) | 0);
  return mixed >>> 0;
}

/** A bijection of 32 bits whose every output bit depends on every input bit. */
function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}

/**
 * A permutation of 0 … size - 1: where `index` goes. Four Feistel rounds over the next even power
 * of two, walked until the place is one of the `size`; nothing is kept.
 */
export function shuffled(seed: number, salt: number, index: number, size: number): number {
  let halfBits = 1;
  while (2 ** (2 * halfBits) < size) halfBits += 1;
  const mask = 2 ** halfBits - 1;
  let place = index;
  do {
    let left = place >>> halfBits;
    let right = place & mask;
    for (let round = 0; round < 4; round += 1) {
      const swapped = left ^ (hash(seed, salt, right, round) & mask);
      left = right;
      right = swapped;
    }
    place = left * (mask + 1) + right;
  } while (place >= size);
  return place;
}

import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** Pseudo-random numbers of a seed: equal seeds give equal numbers on every machine. */
export class Random {
  readonly #generator: { next(): number };

  constructor(seed: number) {
    const first = scramble(seed | 0);
    const second = scramble(first ^ 0x243f6a88);
    this.#generator = xoroshiro128plusFromState([first, second, scramble(second), 1]);
  }

  /** A number from 0 to 1, exclusive. */
  unit(): number {
    return (this.#generator.next() >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to `limit`, exclusive. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  /** `count` distinct integers below `limit`, ascending; all of them if there are no more. */
  sample(count: number, limit: number): number[] {
    const chosen: number[] = [];
    for (let i = 0; i < limit; i++) {
      if (this.unit() * (limit - i) < count - chosen.length) chosen.push(i);
    }
    return chosen;
  }
}

function scramble(value: number): number {
  let mixed = value + 0x9e3779b9;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

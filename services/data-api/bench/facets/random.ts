/** Numbers that look random and are the same at every run (xorshift). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  /** From 0 up to, not including, 1. */
  unit(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) / 4_294_967_296;
  }

  /** An integer from 0 up to, not including, `bound`. */
  below(bound: number): number {
    return Math.floor(this.unit() * bound);
  }

  /**
   * One of the first `count` numbers, small ones often: with skew 1 number n comes about
   * 1 / (n + 1) times as often as 0 (Zipf), with more the first ones come more often still.
   */
  rank(count: number, skew = 1): number {
    const rank = Math.floor((count + 1) ** (this.unit() ** skew)) - 1;
    return Math.min(rank, count - 1);
  }
}

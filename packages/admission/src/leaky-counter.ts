/** A leaky bucket: a sum of amounts (milliseconds, errors) that drains at a constant rate. */
export class LeakyCounter {
  readonly #drainedPerSecond: number;
  readonly #max: number;
  #value = 0;
  #asOfMs = 0;

  /**
   * @param drainedPerSecond the amount that drains each second.
   * @param max the upper bound of the sum.
   */
  constructor(drainedPerSecond: number, max: number) {
    this.#drainedPerSecond = drainedPerSecond;
    this.#max = max;
  }

  add(amount: number, nowMs: number): void {
    this.#value = Math.min(this.#max, this.at(nowMs) + amount);
  }

  /** The amount at this time. */
  at(nowMs: number): number {
    const drained = ((nowMs - this.#asOfMs) / 1000) * this.#drainedPerSecond;
    this.#value = Math.max(0, this.#value - drained);
    this.#asOfMs = nowMs;
    return this.#value;
  }
}

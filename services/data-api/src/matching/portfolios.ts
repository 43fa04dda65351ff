import { type InvestmentData, UNKNOWN_DAY } from '@vcds/matching';

/** The dated investments of every fund and startup, as rows of the data in the order of their days. */
export class Portfolios {
  readonly data: InvestmentData;
  readonly #ofInvestor: Lists;
  readonly #ofStartup: Lists;

  constructor(data: InvestmentData) {
    this.data = data;
    const { investor, startup, day } = data.investments;
    const dated = Uint32Array.from(day.keys())
      .filter((row) => day[row] !== UNKNOWN_DAY)
      .sort((a, b) => (day[a] ?? 0) - (day[b] ?? 0) || a - b);
    this.#ofInvestor = new Lists(investor, dated, data.investors.length);
    this.#ofStartup = new Lists(startup, dated, data.startups.length);
  }

  /** The rows of an investor, oldest first. */
  ofInvestor(investor: number): Uint32Array {
    return this.#ofInvestor.at(investor);
  }

  /** The rows of a startup, oldest first. */
  ofStartup(startup: number): Uint32Array {
    return this.#ofStartup.at(startup);
  }

  /** The day of the newest investment; 0 without any. */
  get lastDay(): number {
    return this.data.investments.day.reduce((last, day) => Math.max(last, day), 0);
  }
}

/** Rows grouped by a key, in their order. */
class Lists {
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;

  constructor(keys: Uint32Array, rows: Uint32Array, length: number) {
    const starts = new Uint32Array(length + 1);
    for (const row of rows) increment(starts, (keys[row] ?? 0) + 1);
    for (let i = 1; i <= length; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
    const next = starts.slice();
    this.#rows = new Uint32Array(rows.length);
    for (const row of rows) {
      const key = keys[row] ?? 0;
      this.#rows[next[key] ?? 0] = row;
      increment(next, key);
    }
    this.#starts = starts;
  }

  at(key: number): Uint32Array {
    return this.#rows.subarray(this.#starts[key], this.#starts[key + 1]);
  }
}

function increment(numbers: Uint32Array, index: number): void {
  numbers[index] = (numbers[index] ?? 0) + 1;
}

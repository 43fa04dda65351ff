import { type History, SLOW_DAYS } from '../history/history.ts';
import type { ResolvedQuery } from '../history/resolve-query.ts';
import { FAMILIES, STATIC_FAMILIES } from '../history/values.ts';

const STATIC_INDEXES = STATIC_FAMILIES.map((family) => FAMILIES.indexOf(family));

/** Cosines of a query with startups as sets of tags and places, weighted by rarity. */
export class Similarity {
  readonly #history: History;
  /** Square of the rarity of each value. */
  readonly #weight: Float32Array;
  readonly #lengths: Float32Array;
  readonly #marks: Float32Array;
  #marked: number[] = [];
  #length = 1;

  constructor(history: History) {
    this.#history = history;
    const all = history.degree.reduce((count, degree) => count + (degree > 0 ? 1 : 0), 0);
    this.#weight = Float32Array.from(history.companies, (n) => Math.log((all + 2) / (n + 1)) ** 2);
    const { staticStart, staticValues, data } = history.timeline;
    this.#lengths = Float32Array.from(data.startups.keys(), (s) =>
      this.#lengthOf(staticValues.subarray(staticStart[s], staticStart[s + 1])),
    );
    this.#marks = new Float32Array(history.companies.length);
  }

  /** Sets the query of `portfolio`. */
  set(query: ResolvedQuery): void {
    for (const value of this.#marked) this.#marks[value] = 0;
    this.#marked = STATIC_INDEXES.flatMap((family) => query.values[family] ?? []);
    this.#length = this.#lengthOf(this.#marked);
    for (const value of this.#marked) this.#marks[value] = this.#weight[value] as number;
  }

  /**
   * Sums of powers of the cosines with the companies of an investor, the recent ones in full: the
   * square also counts distant likeness, the sixth power only near likeness.
   */
  portfolio(investor: number): readonly [square: number, sixth: number] {
    const { timeline, cut } = this.#history;
    const { day, startup } = timeline.data.investments;
    const end = timeline.eventStart[investor + 1] as number;
    let square = 0;
    let sixth = 0;
    for (let e = timeline.eventStart[investor] as number; e < end; e++) {
      const row = timeline.eventRow[e] as number;
      const on = day[row] as number;
      if (on >= cut) continue;
      const x = this.#cosine(startup[row] as number);
      if (x === 0) continue;
      const weight = 2 ** ((on - cut) / SLOW_DAYS);
      square += weight * x * x;
      sixth += weight * x ** 6;
    }
    return [square, sixth];
  }

  #cosine(startup: number): number {
    const { staticStart, staticValues } = this.#history.timeline;
    const end = staticStart[startup + 1] as number;
    let dot = 0;
    for (let k = staticStart[startup] as number; k < end; k++) {
      dot += this.#marks[staticValues[k] as number] as number;
    }
    return dot / (this.#length * (this.#lengths[startup] as number));
  }

  #lengthOf(values: Iterable<number>): number {
    let square = 0;
    for (const value of values) square += this.#weight[value] as number;
    return Math.sqrt(square) || 1;
  }
}

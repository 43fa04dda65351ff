import { type History, SLOW_DAYS } from '../history/history.ts';
import { listOf } from '../history/lists.ts';
import type { ResolvedQuery } from '../history/resolve-query.ts';
import { FAMILIES, STATIC_FAMILIES } from '../history/values.ts';

const STATIC_INDEXES = STATIC_FAMILIES.map((family) => FAMILIES.indexOf(family));

/**
 * Sums of powers of the cosines of a query with the companies of an investor, the recent ones in
 * full: the square also counts distant likeness, the sixth power only near likeness.
 */
export type Likeness = readonly [square: number, sixth: number];

/** Cosines of queries with startups as sets of tags and places, weighted by rarity. */
export class Similarity {
  readonly #history: History;
  /** Square of the rarity of each value. */
  readonly #weight: Float32Array;
  readonly #lengths: Float32Array;
  /** Startup and weight by age of each event. */
  readonly #startup: Uint32Array;
  readonly #age: Float64Array;
  /** Cosine of the query with each startup. */
  readonly #cosines: Float64Array;

  constructor(history: History) {
    this.#history = history;
    const { timeline, cut } = history;
    const all = history.degree.reduce((count, degree) => count + (degree > 0 ? 1 : 0), 0);
    this.#weight = Float32Array.from(history.companies, (n) => Math.log((all + 2) / (n + 1)) ** 2);
    const { staticStart, staticValues, data, eventRow } = timeline;
    this.#lengths = Float32Array.from(data.startups.keys(), (s) =>
      this.#lengthOf(staticValues.subarray(staticStart[s], staticStart[s + 1])),
    );
    const { day, startup } = data.investments;
    this.#startup = eventRow.map((row) => startup[row] as number);
    this.#age = Float64Array.from(eventRow, (row) => {
      const on = day[row] as number;
      return on < cut ? 2 ** ((on - cut) / SLOW_DAYS) : 0;
    });
    this.#cosines = new Float64Array(data.startups.length);
  }

  /** Sets the query of `portfolio`, of any number of investors. */
  set(query: ResolvedQuery): void {
    const { startupsOfValue } = this.#history.timeline;
    const cosines = this.#cosines.fill(0);
    const values = staticValuesOf(query);
    for (const value of values) {
      const weight = this.#weight[value] as number;
      for (const s of listOf(startupsOfValue, value)) cosines[s] = (cosines[s] as number) + weight;
    }
    const length = this.#lengthOf(values);
    for (let s = 0; s < cosines.length; s++) {
      if (cosines[s] === 0) continue;
      cosines[s] = (cosines[s] as number) / (length * (this.#lengths[s] as number));
    }
  }

  /** The likeness of the query with the companies of an investor. */
  portfolio(investor: number): Likeness {
    const { eventStart } = this.#history.timeline;
    const end = eventStart[investor + 1] as number;
    let square = 0;
    let sixth = 0;
    for (let e = eventStart[investor] as number; e < end; e++) {
      const cosine = this.#cosines[this.#startup[e] as number] as number;
      if (cosine === 0) continue;
      const x = cosine * cosine;
      const age = this.#age[e] as number;
      square += age * x;
      sixth += age * x * x * x;
    }
    return [square, sixth];
  }

  /** The same as `portfolio` for one investor and any number of queries. */
  ofInvestor(investor: number): (query: ResolvedQuery) => Likeness {
    const { eventStart, staticStart, staticValues } = this.#history.timeline;
    const startups = this.#startup.subarray(eventStart[investor], eventStart[investor + 1]);
    const ages = this.#age.subarray(eventStart[investor], eventStart[investor + 1]);
    const eventsOf = new Map<number, number[]>();
    startups.forEach((s, e) => {
      for (const value of staticValues.subarray(staticStart[s], staticStart[s + 1])) {
        const events = eventsOf.get(value);
        if (events === undefined) eventsOf.set(value, [e]);
        else events.push(e);
      }
    });
    const products = new Float64Array(startups.length);
    return (query) => {
      products.fill(0);
      const values = staticValuesOf(query);
      for (const value of values) {
        const weight = this.#weight[value] as number;
        for (const e of eventsOf.get(value) ?? []) products[e] = (products[e] as number) + weight;
      }
      const length = this.#lengthOf(values);
      let square = 0;
      let sixth = 0;
      for (let e = 0; e < products.length; e++) {
        if (products[e] === 0) continue;
        const cosine =
          (products[e] as number) / (length * (this.#lengths[startups[e] as number] as number));
        const x = cosine * cosine;
        const age = ages[e] as number;
        square += age * x;
        sixth += age * x * x * x;
      }
      return [square, sixth];
    };
  }

  #lengthOf(values: Iterable<number>): number {
    let square = 0;
    for (const value of values) square += this.#weight[value] as number;
    return Math.sqrt(square) || 1;
  }
}

function staticValuesOf(query: ResolvedQuery): number[] {
  return STATIC_INDEXES.flatMap((family) => query.values[family] ?? []);
}

import { UNKNOWN_DAY } from './data.ts';
import { Growing } from './growing.ts';
import { type Lists, listOf, listsOf } from './lists.ts';
import type { Timeline } from './timeline.ts';

/** The half-life of the counts of recent events. */
const FAST_DAYS = 365;
/** The half-life of most counts. */
const SLOW_DAYS = 4 * 365;

/**
 * Counts of what every investor did before a day, the cut: nothing at or after the cut enters.
 * Counts are of events (first investments in a company), each weighted by its age.
 */
export interface History {
  readonly timeline: Timeline;
  readonly cut: number;
  /** Events by investor, of all decays; `plain` is not decayed. */
  readonly plain: Float64Array;
  readonly slow: Float64Array;
  readonly fast: Float64Array;
  /** The same of events in companies without an earlier round. */
  readonly firstSlow: Float64Array;
  readonly firstFast: Float64Array;
  /** Days of the first and last event, `UNKNOWN_DAY` if none. */
  readonly firstDay: Int32Array;
  readonly lastDay: Int32Array;
  /** Values of each investor, ascending; their positions are those of `valueSlow` and `valueShare`. */
  readonly values: Lists;
  readonly valueSlow: Float32Array;
  /** Sum over companies of 1 / number of its investors: the weight of diffusion. */
  readonly valueShare: Float32Array;
  /** Totals over all investors, by value. */
  readonly totalSlow: Float64Array;
  /** Number of companies with an investor, by value. */
  readonly companies: Float64Array;
  readonly slowSum: number;
}

/** Counts the events before the cut. */
export function createHistory(timeline: Timeline, cut: number): History {
  const { data, events, eventRow, eventDepth, statics, values } = timeline;
  const { day, startup } = data.investments;
  const n = data.investors.length;
  const perInvestor = () => new Float64Array(n);
  const [plain, slow, fast] = [perInvestor(), perInvestor(), perInvestor()];
  const [firstSlow, firstFast] = [perInvestor(), perInvestor()];
  const firstDay = new Int32Array(n).fill(UNKNOWN_DAY);
  const lastDay = new Int32Array(n).fill(UNKNOWN_DAY);
  const degree = degreesBefore(timeline, cut);
  const sums = new Sums(timeline.vocabulary.size);
  const start = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) {
    for (const e of listOf(events, i)) {
      const row = eventRow[e] as number;
      const on = day[row] as number;
      if (on >= cut) continue;
      const slowly = 2 ** ((on - cut) / SLOW_DAYS);
      const recent = 2 ** ((on - cut) / FAST_DAYS);
      add(plain, i, 1);
      add(slow, i, slowly);
      add(fast, i, recent);
      if (eventDepth[e] === 0) {
        add(firstSlow, i, slowly);
        add(firstFast, i, recent);
      }
      const first = firstDay[i] as number;
      firstDay[i] = first === UNKNOWN_DAY ? on : Math.min(first, on);
      lastDay[i] = Math.max(lastDay[i] as number, on);
      const s = startup[row] as number;
      const share = 1 / (degree[s] as number);
      sums.addAll(listOf(statics, s), slowly, share);
      sums.addAll(listOf(values, e), slowly, share);
    }
    sums.flush();
    start[i + 1] = sums.value.length;
  }
  return {
    ...{ timeline, cut, plain, slow, fast, firstSlow, firstFast, firstDay, lastDay },
    ...{ values: { start, items: sums.value.done() }, totalSlow: sums.total },
    ...{ valueSlow: sums.slow.done(), valueShare: sums.share.done() },
    ...{ companies: companiesByValue(timeline, degree), slowSum: slow.reduce((a, b) => a + b, 0) },
  };
}

/** Position of a value of an investor, -1 if the investor never had it. */
export function findValue({ values }: History, investor: number, value: number): number {
  let low = values.start[investor] as number;
  let high = (values.start[investor + 1] as number) - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = values.items[middle] as number;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Positions of each value, and so its investors, ascending: for `eachWithValue`. */
export function positionsByValue({ values, totalSlow }: History): Lists {
  return listsOf(totalSlow.length, (give) => {
    values.items.forEach(give);
  });
}

/** Calls a function with the investors that have a value, and its position, ascending. */
export function eachWithValue(
  { values }: History,
  positions: Lists,
  value: number,
  call: (investor: number, position: number) => void,
): void {
  let investor = 0;
  for (const position of listOf(positions, value)) {
    while ((values.start[investor + 1] as number) <= position) investor++;
    call(investor, position);
  }
}

/** Sums of one investor's values, appended to the columns in order of value. */
class Sums {
  readonly value = new Growing(Uint32Array);
  readonly slow = new Growing(Float32Array);
  readonly share = new Growing(Float32Array);
  readonly total: Float64Array;
  readonly #slow: Float64Array;
  readonly #share: Float64Array;
  #touched: number[] = [];

  constructor(size: number) {
    this.total = new Float64Array(size);
    this.#slow = new Float64Array(size);
    this.#share = new Float64Array(size);
  }

  addAll(values: Uint32Array, slow: number, share: number): void {
    for (const value of values) {
      // The share is never 0; the weight of an event long ago is.
      if (this.#share[value] === 0) this.#touched.push(value);
      add(this.#slow, value, slow);
      add(this.#share, value, share);
    }
  }

  flush(): void {
    for (const value of Uint32Array.from(this.#touched).sort()) {
      this.value.push(value);
      this.slow.push(this.#slow[value] as number);
      this.share.push(this.#share[value] as number);
      add(this.total, value, this.#slow[value] as number);
      this.#slow[value] = 0;
      this.#share[value] = 0;
    }
    this.#touched = [];
  }
}

/** Number of distinct investors of each startup before the cut. */
function degreesBefore(timeline: Timeline, cut: number): Float64Array {
  const { day, startup } = timeline.data.investments;
  const degrees = new Float64Array(timeline.data.startups.length);
  for (const row of timeline.eventRow) {
    if ((day[row] as number) < cut) add(degrees, startup[row] as number, 1);
  }
  return degrees;
}

function companiesByValue({ statics, vocabulary }: Timeline, degree: Float64Array): Float64Array {
  const companies = new Float64Array(vocabulary.size);
  for (const [s, investors] of degree.entries()) {
    if (investors > 0) for (const value of listOf(statics, s)) add(companies, value, 1);
  }
  return companies;
}

function add(to: Float64Array, index: number, by: number): void {
  to[index] = (to[index] as number) + by;
}

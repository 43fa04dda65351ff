import { UNKNOWN_DAY } from './data.ts';
import { GrowingFloat32, GrowingUint32 } from './growing.ts';
import { type Lists, listsOf } from './lists.ts';
import type { Timeline } from './timeline.ts';

/** The half-life of the counts of recent events. */
const FAST_DAYS = 365;
/** The half-life of most counts. */
export const SLOW_DAYS = 4 * 365;

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
  /** Values of investor i, ascending: from `start[i]` up to `start[i + 1]`, with their counts. */
  readonly start: Uint32Array;
  readonly value: Uint32Array;
  readonly valueSlow: Float32Array;
  readonly valueFast: Float32Array;
  /** Sum over companies of 1 / number of its investors: the weight of diffusion. */
  readonly valueShare: Float32Array;
  /** Totals over all investors, by value. */
  readonly totalSlow: Float64Array;
  readonly totalFast: Float64Array;
  /** Number of companies with an investor, by value. */
  readonly companies: Float64Array;
  /** Distinct investors of each startup. */
  readonly degree: Float64Array;
  readonly slowSum: number;
}

/** Counts the events before the cut. */
export function createHistory(timeline: Timeline, cut: number): History {
  const { data, eventStart, eventRow, eventDepth } = timeline;
  const { day, startup } = data.investments;
  const n = data.investors.length;
  const size = timeline.vocabulary.size;
  const perInvestor = () => new Float64Array(n);
  const history = {
    ...{ timeline, cut, plain: perInvestor(), slow: perInvestor(), fast: perInvestor() },
    ...{ firstSlow: perInvestor(), firstFast: perInvestor() },
    firstDay: new Int32Array(n).fill(UNKNOWN_DAY),
    lastDay: new Int32Array(n).fill(UNKNOWN_DAY),
    ...{ totalSlow: new Float64Array(size), totalFast: new Float64Array(size) },
    companies: companiesByValue(timeline, cut, size),
  };
  const degree = degreesBefore(timeline, cut);
  const scratch = new Scratch(size);
  const start = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) {
    const end = eventStart[i + 1] as number;
    for (let e = eventStart[i] as number; e < end; e++) {
      const row = eventRow[e] as number;
      const on = day[row] as number;
      if (on >= cut) continue;
      const slow = 2 ** ((on - cut) / SLOW_DAYS);
      const fast = 2 ** ((on - cut) / FAST_DAYS);
      add(history.plain, i, 1);
      add(history.slow, i, slow);
      add(history.fast, i, fast);
      if (eventDepth[e] === 0) {
        add(history.firstSlow, i, slow);
        add(history.firstFast, i, fast);
      }
      const first = history.firstDay[i] as number;
      history.firstDay[i] = first === UNKNOWN_DAY ? on : Math.min(first, on);
      history.lastDay[i] = Math.max(history.lastDay[i] as number, on);
      const s = startup[row] as number;
      scratch.addEvent(timeline, e, s, slow, fast, 1 / (degree[s] as number));
    }
    scratch.flush(history.totalSlow, history.totalFast);
    start[i + 1] = scratch.value.length;
  }
  return {
    ...history,
    ...{ start, value: scratch.value.toArray(), valueSlow: scratch.slow.toArray() },
    ...{ valueFast: scratch.fast.toArray(), valueShare: scratch.share.toArray() },
    degree,
    slowSum: sum(history.slow),
  };
}

/** Position of a value of an investor, -1 if the investor never had it. */
export function findValue(history: History, investor: number, value: number): number {
  const values = history.value;
  let low = history.start[investor] as number;
  let high = (history.start[investor + 1] as number) - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = values[middle] as number;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Positions of each value, and so its investors, ascending: for `eachWithValue`. */
export function positionsByValue({ value, totalSlow }: History): Lists {
  return listsOf(totalSlow.length, (give) => {
    for (let p = 0; p < value.length; p++) give(value[p] as number, p);
  });
}

/** Calls a function with the investors that have a value, and its position, ascending. */
export function eachWithValue(
  { start }: History,
  positions: Lists,
  value: number,
  call: (investor: number, position: number) => void,
): void {
  let investor = 0;
  const end = positions.start[value + 1] as number;
  for (let k = positions.start[value] as number; k < end; k++) {
    const position = positions.items[k] as number;
    while ((start[investor + 1] as number) <= position) investor++;
    call(investor, position);
  }
}

/** Sums of one investor's values, appended to the columns in order of value. */
class Scratch {
  readonly value = new GrowingUint32();
  readonly slow = new GrowingFloat32();
  readonly fast = new GrowingFloat32();
  readonly share = new GrowingFloat32();
  readonly #sums: Float64Array;
  #touched: number[] = [];

  constructor(size: number) {
    this.#sums = new Float64Array(3 * size);
  }

  addEvent(
    timeline: Timeline,
    event: number,
    startup: number,
    slow: number,
    fast: number,
    share: number,
  ): void {
    const { staticStart, staticValues, valueStart, values } = timeline;
    const staticEnd = staticStart[startup + 1] as number;
    for (let k = staticStart[startup] as number; k < staticEnd; k++) {
      this.#add(staticValues[k] as number, slow, fast, share);
    }
    const end = valueStart[event + 1] as number;
    for (let k = valueStart[event] as number; k < end; k++) {
      this.#add(values[k] as number, slow, fast, share);
    }
  }

  flush(totalSlow: Float64Array, totalFast: Float64Array): void {
    const sums = this.#sums;
    for (const value of Uint32Array.from(this.#touched).sort()) {
      this.value.push(value);
      this.slow.push(sums[3 * value] as number);
      this.fast.push(sums[3 * value + 1] as number);
      this.share.push(sums[3 * value + 2] as number);
      add(totalSlow, value, sums[3 * value] as number);
      add(totalFast, value, sums[3 * value + 1] as number);
      sums.fill(0, 3 * value, 3 * value + 3);
    }
    this.#touched = [];
  }

  #add(value: number, slow: number, fast: number, share: number): void {
    const sums = this.#sums;
    // The share is never 0; the weights of an event long ago are.
    if (sums[3 * value + 2] === 0) this.#touched.push(value);
    add(sums, 3 * value, slow);
    add(sums, 3 * value + 1, fast);
    add(sums, 3 * value + 2, share);
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

function companiesByValue(timeline: Timeline, cut: number, size: number): Float64Array {
  const { staticStart, staticValues, companyStart, companyRows } = timeline;
  const { day } = timeline.data.investments;
  const companies = new Float64Array(size);
  for (let s = 0; s + 1 < companyStart.length; s++) {
    const from = companyStart[s] as number;
    if (from === companyStart[s + 1]) continue;
    if ((day[companyRows[from] as number] as number) >= cut) continue;
    const end = staticStart[s + 1] as number;
    for (let k = staticStart[s] as number; k < end; k++)
      add(companies, staticValues[k] as number, 1);
  }
  return companies;
}

function add(to: Float64Array, index: number, by: number): void {
  to[index] = (to[index] as number) + by;
}

function sum(items: Float64Array): number {
  return items.reduce((total, item) => total + item, 0);
}

import { type History, SLOW_DAYS } from '../history/history.ts';
import type { ResolvedQuery } from '../history/resolve-query.ts';
import type { Timeline } from '../history/timeline.ts';

/** Values beyond this number, the rarest ones, are left out. */
const COLUMNS_MAX = 700;
/** Pull of the weights towards 0, in companies. */
const PENALTY = 20;

/**
 * An item-based linear model: the ridge regression of who joins a company on the values of the
 * company, its earlier investors included. With G the Gram matrix of the companies' values plus the
 * penalty and c the counts of an investor, the score of a query with the values x is x · G⁻¹ · c.
 */
export interface Ridge {
  /** Column of each value, -1 if it has none. */
  readonly column: Int32Array;
  /** Columns and counts of investor i: from `start[i]` up to `start[i + 1]`. */
  readonly start: Uint32Array;
  readonly countColumn: Uint16Array;
  readonly count: Float32Array;
  readonly columns: number;
  /** Lower Cholesky factor of G, row-major. */
  readonly factor: Float64Array;
}

export function createRidge(history: History): Ridge {
  const { timeline, totalSlow } = history;
  const { vocabulary } = timeline;
  const frequent = [...totalSlow.keys()]
    .filter((v) => (totalSlow[v] as number) > 1 && !vocabulary.isSameRound(v))
    .sort(
      (a, b) =>
        (totalSlow[b] as number) - (totalSlow[a] as number) ||
        (vocabulary.nameOf(a) < vocabulary.nameOf(b) ? -1 : 1),
    )
    .slice(0, COLUMNS_MAX);
  const column = new Int32Array(totalSlow.length).fill(-1);
  frequent.forEach((value, k) => {
    column[value] = k;
  });
  const factor = gramOf(history, column, frequent.length);
  factorize(factor, frequent.length);
  return { column, columns: frequent.length, factor, ...countsOf(history, column) };
}

/** The counts of the values with a column. */
function countsOf(
  { start, value, valueSlow }: History,
  column: Int32Array,
): Pick<Ridge, 'start' | 'countColumn' | 'count'> {
  let size = 0;
  for (const v of value) if ((column[v] as number) >= 0) size++;
  const counts = {
    start: new Uint32Array(start.length),
    countColumn: new Uint16Array(size),
    count: new Float32Array(size),
  };
  let next = 0;
  for (let i = 0; i + 1 < start.length; i++) {
    const end = start[i + 1] as number;
    for (let p = start[i] as number; p < end; p++) {
      const at = column[value[p] as number] as number;
      if (at < 0) continue;
      counts.countColumn[next] = at;
      counts.count[next++] = valueSlow[p] as number;
    }
    counts.start[i + 1] = next;
  }
  return counts;
}

/** x · G⁻¹ for the values of a query. */
export function weightsOfQuery(ridge: Ridge, query: ResolvedQuery): Float64Array {
  const x = new Float64Array(ridge.columns);
  for (const values of query.values) {
    for (const value of values) {
      const column = ridge.column[value] as number;
      if (column >= 0) x[column] = 1;
    }
  }
  return solve(ridge.factor, x);
}

/** The score of an investor for the query of the weights. */
export function scoreByQuery(ridge: Ridge, weights: Float64Array, investor: number): number {
  const { start, countColumn, count } = ridge;
  let score = 0;
  const end = start[investor + 1] as number;
  for (let k = start[investor] as number; k < end; k++) {
    score += (weights[countColumn[k] as number] as number) * (count[k] as number);
  }
  return score;
}

/** G⁻¹ · c for an investor. */
export function weightsOfInvestor(ridge: Ridge, investor: number): Float64Array {
  const { start, countColumn, count } = ridge;
  const counts = new Float64Array(ridge.columns);
  const end = start[investor + 1] as number;
  for (let k = start[investor] as number; k < end; k++) {
    counts[countColumn[k] as number] = count[k] as number;
  }
  return solve(ridge.factor, counts);
}

/** The score of a query for the investor of the weights. */
export function scoreByInvestor(ridge: Ridge, weights: Float64Array, query: ResolvedQuery): number {
  let score = 0;
  for (const values of query.values) {
    for (const value of values) {
      const column = ridge.column[value] as number;
      if (column >= 0) score += weights[column] as number;
    }
  }
  return score;
}

/** The lower half of G: each company and day counts once. */
function gramOf({ timeline, cut }: History, column: Int32Array, size: number): Float64Array {
  const gram = new Float64Array(size * size);
  for (let a = 0; a < size; a++) gram[a * size + a] = PENALTY;
  const { day, startup } = timeline.data.investments;
  const lastDay = new Map<number, Set<number>>();
  for (let e = 0; e < timeline.eventRow.length; e++) {
    const row = timeline.eventRow[e] as number;
    const s = startup[row] as number;
    const on = day[row] as number;
    const days = lastDay.get(s) ?? new Set();
    if (on >= cut || days.has(on)) continue;
    lastDay.set(s, days.add(on));
    const columns = columnsOf(timeline, column, s, e);
    const weight = 2 ** ((on - cut) / SLOW_DAYS);
    for (const a of columns) {
      for (const b of columns) {
        if (b <= a) gram[a * size + b] = (gram[a * size + b] as number) + weight;
      }
    }
  }
  return gram;
}

function columnsOf(timeline: Timeline, column: Int32Array, s: number, event: number): number[] {
  const { staticStart, staticValues, valueStart, values } = timeline;
  const found: number[] = [];
  const add = (value: number) => {
    const at = column[value] as number;
    if (at >= 0) found.push(at);
  };
  staticValues.subarray(staticStart[s], staticStart[s + 1]).forEach(add);
  values.subarray(valueStart[event], valueStart[event + 1]).forEach(add);
  return found;
}

/** Replaces the lower half of a positive definite matrix by its Cholesky factor. */
function factorize(a: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j] as number;
      for (let k = 0; k < j; k++) sum -= (a[i * n + k] as number) * (a[j * n + k] as number);
      a[i * n + j] = i === j ? Math.sqrt(sum) : sum / (a[j * n + j] as number);
    }
  }
}

/** Solves `factor × factorᵀ × result = x`; x is overwritten. */
function solve(factor: Float64Array, x: Float64Array): Float64Array {
  const n = x.length;
  for (let i = 0; i < n; i++) {
    let sum = x[i] as number;
    for (let k = 0; k < i; k++) sum -= (factor[i * n + k] as number) * (x[k] as number);
    x[i] = sum / (factor[i * n + i] as number);
  }
  for (let i = n - 1; i >= 0; i--) {
    const solved = (x[i] as number) / (factor[i * n + i] as number);
    x[i] = solved;
    for (let k = 0; k < i; k++) x[k] = (x[k] as number) - (factor[i * n + k] as number) * solved;
  }
  return x;
}

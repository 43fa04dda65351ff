import type { History } from '../history/history.ts';
import type { ResolvedQuery } from '../history/resolve-query.ts';
import { highest } from '../rank/highest.ts';
import type { Scorer } from './baselines.ts';

const NEIGHBOURS = 50;
/** Values of more companies than this share say little, and are left out. */
const COMMON_SHARE = 0.5;

/**
 * Item-kNN: the investors of the companies most similar to that of the query, by cosine of their
 * values (tags, places, investors) weighted by rarity.
 */
export function createNeighbours(history: History): Scorer {
  const index = indexCompanies(history);
  return (query, candidates) => {
    const similarity = similarities(index, query);
    const scores = new Float64Array(history.plain.length);
    for (const s of highest(similarity, NEIGHBOURS)) {
      const x = similarity[s] as number;
      for (const i of index.investors.get(s) ?? []) scores[i] = (scores[i] as number) + x;
    }
    return Float64Array.from(
      candidates,
      (i) => (scores[i] as number) + 1e-9 * (history.plain[i] as number),
    );
  };
}

interface Companies {
  readonly investors: ReadonlyMap<number, ReadonlySet<number>>;
  readonly byValue: ReadonlyMap<number, readonly number[]>;
  /** Of the values of each company; 1 for those without an investor. */
  readonly norm: Float64Array;
}

function indexCompanies(history: History): Companies {
  const { timeline, cut } = history;
  const { staticStart, staticValues, companyStart, companyRows, vocabulary, data } = timeline;
  const investors = new Map<number, Set<number>>();
  const byValue = new Map<number, number[]>();
  const valuesOf = new Map<number, number[]>();
  for (let s = 0; s + 1 < companyStart.length; s++) {
    const rows = companyRows.subarray(companyStart[s], companyStart[s + 1]);
    const before = rows.filter((row) => (data.investments.day[row] as number) < cut);
    if (before.length === 0) continue;
    const own = new Set([...before].map((row) => data.investments.investor[row] as number));
    investors.set(s, own);
    const statics = staticValues.subarray(staticStart[s], staticStart[s + 1]);
    const values = [...statics, ...[...own].map((i) => vocabulary.earlierInvestor(i))];
    valuesOf.set(s, values);
    for (const value of values) {
      const list = byValue.get(value);
      if (list === undefined) byValue.set(value, [s]);
      else list.push(s);
    }
  }
  const norm = new Float64Array(data.startups.length).fill(1);
  for (const [s, values] of valuesOf) {
    const square = values.reduce((sum, v) => sum + rarity(byValue, v, investors.size) ** 2, 0);
    norm[s] = Math.sqrt(square) || 1;
  }
  return { investors, byValue, norm };
}

/** The cosine of each company, by its position; 0 for those without a common value. */
function similarities(index: Companies, query: ResolvedQuery): Float64Array {
  const sums = new Float64Array(index.norm.length);
  for (const value of query.values.flat()) {
    const weight = rarity(index.byValue, value, index.investors.size) ** 2;
    if (weight === 0) continue;
    for (const s of index.byValue.get(value) ?? []) sums[s] = (sums[s] as number) + weight;
  }
  return sums.map((sum, s) => sum / (index.norm[s] as number));
}

function rarity(byValue: ReadonlyMap<number, readonly number[]>, value: number, all: number) {
  const companies = byValue.get(value)?.length ?? 0;
  return companies === 0 || companies > COMMON_SHARE * all ? 0 : Math.log(all / companies);
}

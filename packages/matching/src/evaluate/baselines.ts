import { findValue, type History } from '../history/history.ts';
import type { ResolvedQuery } from '../history/resolve-query.ts';
import { FAMILIES, type Family } from '../history/values.ts';
import { createNeighbours } from './neighbours.ts';

/** Scores the candidates of a query, in their order; more is better. */
export type Scorer = (query: ResolvedQuery, candidates: Uint32Array) => Float64Array;

/** Weight of popularity where a baseline has no other evidence: far below any. */
const TIE_BREAK = 1e-9;

const valuesOf = (query: ResolvedQuery, family: Family) =>
  query.values[FAMILIES.indexOf(family)] ?? [];

/** The methods that a ranking has to beat, by name. */
export const BASELINES: Readonly<Record<string, (history: History) => Scorer>> = {
  popularity: (history) => each((i) => history.plain[i] as number),
  recency: (history) =>
    each((i) => (history.lastDay[i] as number) + TIE_BREAK * (history.plain[i] as number)),
  'sector × country': (history) =>
    each((i, query) => {
      const values = valuesOf(query, 'tagCountry');
      return sumOf(history, i, values, history.valueSlow) + popularity(history, i);
    }),
  'item-kNN': createNeighbours,
  'co-investor': (history) =>
    each((i, query) => {
      const before = sumOf(history, i, valuesOf(query, 'earlierInvestor'), history.valueSlow);
      const same = sumOf(history, i, valuesOf(query, 'sameRound'), history.valueSlow);
      return before + same + popularity(history, i);
    }),
  'diffusion + geography': (history) =>
    each((i, query) => diffuse(history, i, query) + TIE_BREAK * popularity(history, i)),
};

const DOMAINS: readonly Family[] = ['tag', 'country', 'region', 'city'];

/**
 * Network diffusion in the graph of domains (tags and places), companies and investors, with direct
 * links from domains to investors (Xu et al., arXiv 1912.02962). A company with investors also
 * starts from them.
 */
function diffuse(history: History, i: number, query: ResolvedQuery): number {
  let resource = 0;
  const domains = DOMAINS.flatMap((family) => valuesOf(query, family));
  for (const value of domains) {
    const position = findValue(history, i, value);
    if (position < 0) continue;
    const companies = (history.companies[value] as number) || 1;
    const viaCompanies = (history.valueShare[position] as number) / companies;
    const direct = (history.valueSlow[position] as number) / (history.totalSlow[value] as number);
    resource += (viaCompanies + direct) / (2 * domains.length);
  }
  const partners = [...valuesOf(query, 'earlierInvestor'), ...valuesOf(query, 'sameRound')];
  for (const value of partners) {
    const position = findValue(history, i, value);
    if (position < 0) continue;
    const total = history.totalSlow[value] as number;
    resource += (history.valueSlow[position] as number) / (total * partners.length);
  }
  return resource;
}

function each(scoreOf: (investor: number, query: ResolvedQuery) => number): Scorer {
  return (query, candidates) => Float64Array.from(candidates, (i) => scoreOf(i, query));
}

function popularity(history: History, i: number): number {
  return TIE_BREAK * (history.plain[i] as number);
}

function sumOf(history: History, i: number, values: readonly number[], counts: Float32Array) {
  let sum = 0;
  for (const value of values) {
    const position = findValue(history, i, value);
    if (position >= 0) sum += counts[position] as number;
  }
  return sum;
}

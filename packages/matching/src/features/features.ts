import { eachWithValue, findValue, type History } from '../history/history.ts';
import type { Lists } from '../history/lists.ts';
import type { ResolvedQuery } from '../history/resolve-query.ts';
import { FAMILIES, type Family, fold, placeOf } from '../history/values.ts';
import {
  createRidge,
  type Ridge,
  scoreByInvestor,
  scoreByQuery,
  weightsOfInvestor,
  weightsOfQuery,
} from './ridge.ts';
import { type Likeness, Similarity } from './similarity.ts';

/** Families whose values are compared with the investor's habits; several values are averaged. */
const AFFINITIES: readonly Family[] = [
  ...(['tag', 'country', 'region', 'city', 'tagCountry', 'tagRegion', 'age'] as const),
  ...(['depth', 'tagDepth', 'regionDepth', 'lastStage', 'lastAmount'] as const),
  ...(['pause', 'stage', 'stageTag', 'stageRegion'] as const),
  ...(['amount', 'amountNear', 'amountTag', 'amountRegion'] as const),
];
const PARTNERS: readonly Family[] = ['earlierInvestor', 'sameRound'];
const DIFFUSIONS: readonly Family[] = ['tag', 'region', 'tagRegion', 'earlierInvestor'];
const DOMAINS: readonly Family[] = ['tag', 'country', 'region', 'city'];

const capital = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Names of the features, in the order in which `fillFeatures` writes them. */
export const FEATURES: readonly string[] = [
  ...['popularity', 'popularitySlow', 'popularityFast', 'entrySlow', 'entryFast'],
  ...['recency', 'tenure'],
  ...AFFINITIES.map((family) => `${family}Lift`),
  ...PARTNERS.flatMap((family) => ['Lift', 'Count', 'Links', 'Share'].map((x) => `${family}${x}`)),
  ...DIFFUSIONS.map((family) => `diffusion${capital(family)}`),
  ...['domainDiffusion', 'domainShare', 'domainShareFast', 'partnerShare', 'diffusion'],
  ...['portfolioWide', 'portfolioNear', 'linearModel'],
  ...['homeCountry', 'homeRegion', 'homeCity', 'statedStage', 'statedTags'],
];

/** Events of the average investor that are added to the counts of one investor. */
export const SHRINKAGE = 4;
const FLOOR = 0.1;
const SHARE_FLOOR = 3e-5;
/** Weight of the activity in a quick score. */
const QUICK_ACTIVITY = 0.2;
/** Events that are added to the totals of a partner. */
const PARTNER_SHRINKAGE = 1;
const PARTNER_FLOOR = 1e-3;

const indexesOf = (families: readonly Family[]) =>
  families.map((family) => FAMILIES.indexOf(family));
const AFFINITY_INDEXES = indexesOf(AFFINITIES);
const PARTNER_INDEXES = indexesOf(PARTNERS);
const DIFFUSION_INDEXES = indexesOf(DIFFUSIONS);
const DOMAIN_INDEXES = indexesOf(DOMAINS);

/** A row of features that is written from an offset on. */
type Row = Float32Array | Float64Array;

/** Computes the features of pairs of a query and an investor from the history before its cut. */
export class FeatureSpace {
  readonly history: History;
  readonly #similarity: Similarity;
  readonly #ridge: Ridge;
  readonly #homes: readonly (readonly string[])[];
  #query: ResolvedQuery | undefined;
  #linear: (investor: number) => number = () => 0;
  #portfolio: (investor: number) => Likeness = () => [0, 0];

  constructor(history: History) {
    this.history = history;
    this.#similarity = new Similarity(history);
    this.#ridge = createRidge(history);
    this.#homes = history.timeline.data.investors.map(placeOf);
  }

  /** Sets the query of the pairs that follow. */
  setQuery(query: ResolvedQuery): void {
    this.#query = query;
    this.#similarity.set(query);
    this.#portfolio = (investor) => this.#similarity.portfolio(investor);
    const weights = weightsOfQuery(this.#ridge, query);
    this.#linear = (investor) => scoreByQuery(this.#ridge, weights, investor);
  }

  /** Returns a function that sets a query; only pairs with this investor may follow. */
  queriesFor(investor: number): (query: ResolvedQuery) => void {
    const weights = weightsOfInvestor(this.#ridge, investor);
    const likenessWith = this.#similarity.ofInvestor(investor);
    return (query) => {
      this.#query = query;
      this.#portfolio = () => likenessWith(query);
      this.#linear = () => scoreByInvestor(this.#ridge, weights, query);
    };
  }

  /** Writes the features of the query and an investor to `out` from `at`. */
  fill(investor: number, out: Row, at: number): void {
    const { history } = this;
    const query = this.#query;
    if (query === undefined) throw new Error('set a query first');
    let next = fillActivity(history, query, investor, out, at);
    for (const family of AFFINITY_INDEXES) {
      out[next++] = affinityOf(history, query.values[family] ?? [], investor);
    }
    for (const family of PARTNER_INDEXES) {
      next = fillPartners(history, query.values[family] ?? [], investor, out, next);
    }
    for (const family of DIFFUSION_INDEXES) {
      out[next++] = diffusionOf(history, query.values[family] ?? [], investor);
    }
    next = fillMixtures(history, query, investor, out, next);
    const [square, sixth] = this.#portfolio(investor);
    out[next++] = Math.log(square + FLOOR / 2);
    out[next++] = Math.log(sixth + FLOOR / 4);
    out[next++] = Math.log(Math.max(0, this.#linear(investor)) + 1e-4);
    fillHome(history, query, investor, this.#homes[investor] ?? [], out, next);
  }

  /**
   * Cheap scores of the query and all investors, which the ranking mostly agrees with: the features
   * `diffusion` and `popularityFast`. `positions` are those of `positionsByValue`.
   */
  quickScores(positions: Lists): Float64Array {
    const query = this.#query;
    if (query === undefined) throw new Error('set a query first');
    const { history } = this;
    const scores = new Float64Array(history.plain.length);
    const add = (value: number, of: (position: number) => number) =>
      eachWithValue(history, positions, value, (i, position) => {
        scores[i] = (scores[i] as number) + of(position);
      });
    const domains = DOMAIN_INDEXES.map((family) => query.values[family] ?? []).filter(
      (values) => values.length > 0,
    );
    for (const values of domains) {
      const part = 1 / (2 * domains.length * values.length);
      for (const value of values) {
        const companies = history.companies[value] || 1;
        const total = history.totalSlow[value] as number;
        add(value, (p) => {
          const share = (history.valueShare[p] as number) / companies;
          return part * (share + shareOf(history.valueSlow[p] as number, total));
        });
      }
    }
    const partners = PARTNER_INDEXES.flatMap((family) => query.values[family] ?? []);
    for (const value of partners) {
      const total = (history.totalSlow[value] as number) + PARTNER_SHRINKAGE;
      add(value, (p) => (history.valueSlow[p] as number) / (total * partners.length));
    }
    return scores.map(
      (score, i) =>
        Math.log(score + SHARE_FLOOR) +
        QUICK_ACTIVITY * Math.log((history.fast[i] as number) + FLOOR),
    );
  }
}

function fillActivity(
  history: History,
  query: ResolvedQuery,
  i: number,
  out: Row,
  at: number,
): number {
  const plain = history.plain[i] as number;
  const slow = history.slow[i] as number;
  const fast = history.fast[i] as number;
  const firstSlow = history.firstSlow[i] as number;
  const firstFast = history.firstFast[i] as number;
  out[at] = Math.log(plain + FLOOR);
  out[at + 1] = Math.log(slow + FLOOR);
  out[at + 2] = Math.log(fast + FLOOR);
  out[at + 3] = Math.log((query.isWarm ? slow - firstSlow : firstSlow) + FLOOR);
  out[at + 4] = Math.log((query.isWarm ? fast - firstFast : firstFast) + FLOOR);
  out[at + 5] = plain > 0 ? Math.log(history.cut - (history.lastDay[i] as number) + 30) : 9;
  out[at + 6] = plain > 0 ? Math.log(history.cut - (history.firstDay[i] as number) + 30) : 0;
  return at + 7;
}

/** A part of a total; 0 if the total is 0 because its events are too old to have a weight. */
function shareOf(part: number, total: number): number {
  return total > 0 ? part / total : 0;
}

/** The logarithm of how much more often an investor had a value than all investors did. */
export function liftOf(hits: number, share: number, events: number): number {
  return Math.log((shareOf(hits, share) + SHRINKAGE) / (events + SHRINKAGE));
}

/** How much more often the investor's companies have the values than those of all investors. */
function affinityOf(history: History, values: readonly number[], i: number): number {
  let lift = 0;
  let known = 0;
  const slow = history.slow[i] as number;
  for (const value of values) {
    const share = (history.totalSlow[value] as number) / history.slowSum;
    if (!(share > 0)) continue;
    known++;
    const position = findValue(history, i, value);
    const hits = position < 0 ? 0 : (history.valueSlow[position] as number);
    lift += liftOf(hits, share, slow);
  }
  return known > 0 ? lift / known : 0;
}

function fillPartners(
  history: History,
  values: readonly number[],
  i: number,
  out: Row,
  at: number,
): number {
  let lift = 0;
  let count = 0;
  let links = 0;
  let shares = 0;
  const slow = history.slow[i] as number;
  for (const value of values) {
    const position = findValue(history, i, value);
    if (position < 0) continue;
    const hits = history.valueSlow[position] as number;
    const total = history.totalSlow[value] as number;
    const share = shareOf(total, history.slowSum);
    shares += hits / (total + PARTNER_SHRINKAGE);
    lift = Math.max(lift, liftOf(hits, share, slow));
    count += hits;
    links++;
  }
  out[at] = lift;
  out[at + 1] = Math.log(count / FLOOR + 1);
  out[at + 2] = Math.log1p(links);
  out[at + 3] = Math.log(shares / Math.max(1, values.length) + PARTNER_FLOOR);
  return at + 4;
}

function diffusionOf(history: History, values: readonly number[], i: number): number {
  let weight = 0;
  for (const value of values) {
    const position = findValue(history, i, value);
    if (position < 0) continue;
    const companies = history.companies[value] || history.totalSlow[value] || 1;
    weight += (history.valueShare[position] as number) / companies;
  }
  return values.length === 0 ? 0 : Math.log(weight / values.length + 1e-5);
}

/** Means over domains and partners of the share that the investor has in each. */
function fillMixtures(
  history: History,
  query: ResolvedQuery,
  i: number,
  out: Row,
  at: number,
): number {
  let [diffused, slow, fast, domains] = [0, 0, 0, 0];
  for (const family of DOMAIN_INDEXES) {
    const values = query.values[family] ?? [];
    if (values.length > 0) domains++;
    for (const value of values) {
      const p = findValue(history, i, value);
      if (p < 0) continue;
      const part = 1 / values.length;
      diffused += (part * (history.valueShare[p] as number)) / (history.companies[value] || 1);
      const [totalSlow, totalFast] = [history.totalSlow[value], history.totalFast[value]];
      slow += part * shareOf(history.valueSlow[p] as number, totalSlow as number);
      fast += part * shareOf(history.valueFast[p] as number, totalFast as number);
    }
  }
  let [shared, partners] = [0, 0];
  for (const family of PARTNER_INDEXES) {
    for (const value of query.values[family] ?? []) {
      partners++;
      const p = findValue(history, i, value);
      if (p < 0) continue;
      const total = (history.totalSlow[value] as number) + PARTNER_SHRINKAGE;
      shared += (history.valueSlow[p] as number) / total;
    }
  }
  const by = Math.max(1, domains);
  const partner = shared / Math.max(1, partners);
  out[at] = Math.log(diffused / by + SHARE_FLOOR);
  out[at + 1] = Math.log(slow / by + SHARE_FLOOR);
  out[at + 2] = Math.log(fast / by + SHARE_FLOOR);
  out[at + 3] = Math.log(partner + 10 * SHARE_FLOOR);
  out[at + 4] = Math.log((diffused + slow) / (2 * by) + partner + SHARE_FLOOR);
  return at + 5;
}

function fillHome(
  history: History,
  query: ResolvedQuery,
  i: number,
  home: readonly string[],
  out: Row,
  at: number,
): void {
  const investor = history.timeline.data.investors[i];
  if (investor === undefined) return;
  for (let k = 0; k < 3; k++) out[at + k] = home[k] !== '' && home[k] === query.place[k] ? 1 : 0;
  out[at + 3] = query.stage > 0 && investor.stages.includes(query.stage) ? 1 : 0;
  let shared = 0;
  for (const tag of investor.tags) if (query.tags.has(fold(tag))) shared++;
  out[at + 4] = Math.log1p(shared);
}

import { eachWithValue, findValue, type History } from '../history/history.ts';
import type { Lists } from '../history/lists.ts';
import type { ResolvedQuery } from '../history/query.ts';
import { FAMILIES, type Family, fold } from '../history/values.ts';

/** Families whose values are compared with the investor's habits; several values are averaged. */
const AFFINITIES = FAMILIES.filter((family) => family !== 'partner');
/** Families of which network diffusion takes shares. */
const DOMAINS: readonly Family[] = ['tag', 'country', 'region', 'city'];

/** The subject of a feature, for reasons. A feature without a short fact about the fund has none. */
export const FACTORS = [
  ...(['activity', 'recency', 'tenure', 'portfolio'] as const),
  ...(['tag', 'country', 'region', 'city', 'tagCountry', 'tagRegion'] as const),
  ...(['stage', 'amount', 'partners', 'home', 'statedStage', 'statedTags'] as const),
];

export type Factor = (typeof FACTORS)[number];

const factorOfFamily = (family: Family): Factor | undefined =>
  FACTORS.find((factor) => factor === family) ??
  (['stage', 'amount'] as const).find((factor) => family.startsWith(factor));

type Row = readonly [feature: string, factor: Factor | undefined];
const rows = (factor: Factor, ...features: readonly string[]) =>
  features.map((feature): Row => [feature, factor]);

/** The features in the order in which `fillFeatures` writes them, each with its factor. */
const ROWS: readonly Row[] = [
  ...rows('activity', 'popularity', 'popularitySlow', 'popularityFast', 'entrySlow', 'entryFast'),
  ...rows('recency', 'recency'),
  ...rows('tenure', 'tenure'),
  ...AFFINITIES.map((family): Row => [`${family}Lift`, factorOfFamily(family)]),
  ...rows('partners', 'partnerLift', 'partnerCount', 'partnerLinks', 'partnerShare'),
  ...rows('portfolio', 'diffusion'),
  ...rows('home', 'homeCountry', 'homeRegion', 'homeCity'),
  ...rows('statedStage', 'statedStage'),
  ...rows('statedTags', 'statedTags'),
];

/** Names of the features, in order. */
export const FEATURES = ROWS.map(([feature]) => feature);

/** The factor of each feature that has one. */
export const FACTOR_OF: ReadonlyMap<string, Factor> = new Map(
  ROWS.flatMap(([feature, factor]) => (factor === undefined ? [] : [[feature, factor]])),
);

/** Events of the average investor that are added to the counts of one investor. */
const SHRINKAGE = 4;
const FLOOR = 0.1;
const SHARE_FLOOR = 3e-5;
/** Events that are added to the totals of a partner. */
const PARTNER_SHRINKAGE = 1;
const PARTNER_FLOOR = 1e-3;
/** Weight of the activity in a quick score. */
const QUICK_ACTIVITY = 0.2;

/**
 * Writes the features of a query and an investor, from the history before its cut, to `out`
 * from `at`.
 */
export function fillFeatures(
  history: History,
  query: ResolvedQuery,
  i: number,
  out: Float32Array | Float64Array,
  at = 0,
): void {
  let next = at;
  const write = (...values: readonly number[]) => {
    for (const value of values) out[next++] = value;
  };
  const plain = history.plain[i] as number;
  const slow = history.slow[i] as number;
  const fast = history.fast[i] as number;
  const daysSince = (day: number) => Math.log(history.cut - day + 30);
  write(Math.log(plain + FLOOR), Math.log(slow + FLOOR), Math.log(fast + FLOOR));
  for (const [all, first] of [
    [slow, history.firstSlow[i] as number],
    [fast, history.firstFast[i] as number],
  ] as const) {
    write(Math.log((query.isWarm ? all - first : first) + FLOOR));
  }
  write(plain > 0 ? daysSince(history.lastDay[i] as number) : 9);
  write(plain > 0 ? daysSince(history.firstDay[i] as number) : 0);
  for (const family of AFFINITIES) write(affinityOf(history, query.values[family], i));
  const partners = partnersOf(history, query.values.partner, i);
  write(partners.lift, Math.log(partners.count / FLOOR + 1), Math.log1p(partners.links));
  write(Math.log(partners.share + PARTNER_FLOOR));
  let diffused = 0;
  eachShare(query, (value, part) => {
    const position = findValue(history, i, value);
    if (position >= 0) diffused += part * diffusionAt(history, value, position);
  });
  write(Math.log(diffused + partners.share + SHARE_FLOOR));
  const investor = history.timeline.data.investors[i];
  const home = history.timeline.homes[i] ?? [];
  for (const [k, place] of query.place.entries()) write(place !== '' && home[k] === place ? 1 : 0);
  write(query.stage > 0 && investor?.stages.includes(query.stage) ? 1 : 0);
  write(Math.log1p((investor?.tags ?? []).filter((tag) => query.tags.has(fold(tag))).length));
}

/**
 * Cheap scores of a query and all investors, which the ranking mostly agrees with: the features
 * `diffusion` and `popularityFast`. `positions` are those of `positionsByValue`.
 */
export function quickScores(history: History, positions: Lists, query: ResolvedQuery) {
  const scores = new Float64Array(history.plain.length);
  const add = (value: number, of: (position: number) => number) =>
    eachWithValue(history, positions, value, (i, position) => {
      scores[i] = (scores[i] as number) + of(position);
    });
  eachShare(query, (value, part) => {
    add(value, (position) => part * diffusionAt(history, value, position));
  });
  const partners = query.values.partner;
  for (const value of partners) {
    add(value, (position) => partnerShareAt(history, value, position) / partners.length);
  }
  return scores.map(
    (score, i) =>
      Math.log(score + SHARE_FLOOR) +
      QUICK_ACTIVITY * Math.log((history.fast[i] as number) + FLOOR),
  );
}

/** How much more often an investor's companies have each value than those of all investors. */
export function liftsOf(history: History, i: number): Float64Array {
  const slow = history.slow[i] as number;
  const lifts = new Float64Array(history.totalSlow.length).fill(liftOf(0, 1, slow));
  const { start, items } = history.values;
  for (let p = start[i] as number; p < (start[i + 1] as number); p++) {
    const value = items[p] as number;
    const share = (history.totalSlow[value] as number) / history.slowSum;
    lifts[value] = liftOf(history.valueSlow[p] as number, share, slow);
  }
  return lifts;
}

/** A part of a total; 0 if the total is 0 because its events are too old to have a weight. */
function shareOf(part: number, total: number): number {
  return total > 0 ? part / total : 0;
}

/** The logarithm of how much more often an investor had a value than all investors did. */
function liftOf(hits: number, share: number, events: number): number {
  return Math.log((shareOf(hits, share) + SHRINKAGE) / (events + SHRINKAGE));
}

/** How much more often the investor's companies have the values than those of all investors. */
function affinityOf(history: History, values: readonly number[], i: number): number {
  let [lift, known] = [0, 0];
  for (const value of values) {
    const share = (history.totalSlow[value] as number) / history.slowSum;
    if (!(share > 0)) continue;
    known++;
    const position = findValue(history, i, value);
    const hits = position < 0 ? 0 : (history.valueSlow[position] as number);
    lift += liftOf(hits, share, history.slow[i] as number);
  }
  return known > 0 ? lift / known : 0;
}

/** The companies that an investor shares with the investors of a company. */
function partnersOf(history: History, values: readonly number[], i: number) {
  let [lift, count, links, share] = [0, 0, 0, 0];
  for (const value of values) {
    const position = findValue(history, i, value);
    if (position < 0) continue;
    const hits = history.valueSlow[position] as number;
    const of = shareOf(history.totalSlow[value] as number, history.slowSum);
    lift = Math.max(lift, liftOf(hits, of, history.slow[i] as number));
    count += hits;
    links++;
    share += partnerShareAt(history, value, position) / values.length;
  }
  return { lift, count, links, share };
}

function partnerShareAt(history: History, value: number, position: number): number {
  const total = (history.totalSlow[value] as number) + PARTNER_SHRINKAGE;
  return (history.valueSlow[position] as number) / total;
}

/** Calls a function with the tags and places of a query and the part that each has. */
function eachShare(query: ResolvedQuery, call: (value: number, part: number) => void): void {
  const domains = DOMAINS.map((family) => query.values[family]).filter(({ length }) => length > 0);
  for (const values of domains) {
    for (const value of values) call(value, 1 / (2 * domains.length * values.length));
  }
}

/** The part of a value that reaches an investor: through its companies, and directly. */
function diffusionAt(history: History, value: number, position: number): number {
  const viaCompanies = (history.valueShare[position] as number) / (history.companies[value] || 1);
  const total = history.totalSlow[value] as number;
  return viaCompanies + shareOf(history.valueSlow[position] as number, total);
}

import { findValue, type History } from '../history/history.ts';
import type { ResolvedQuery } from '../history/resolve-query.ts';
import { FAMILIES, type Family, fold, placeOf } from '../history/values.ts';

/** Families of which the query has at most one value or several that are averaged. */
const AFFINITIES: readonly Family[] = [
  ...(['tag', 'country', 'region', 'city', 'tagCountry', 'tagRegion'] as const),
  ...(['age', 'depth', 'lastStage', 'stage', 'amount'] as const),
];
const PARTNERS: readonly Family[] = ['earlierInvestor', 'sameRound'];
const DIFFUSIONS: readonly Family[] = ['tag', 'region', 'tagRegion', 'earlierInvestor'];

const capital = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Names of the features, in the order in which `fillFeatures` writes them. */
export const FEATURES: readonly string[] = [
  ...['popularity', 'popularitySlow', 'popularityFast', 'entrySlow', 'entryFast'],
  ...['recency', 'tenure'],
  ...AFFINITIES.flatMap((family) => [`${family}Lift`, `${family}LiftFast`, `${family}Count`]),
  ...PARTNERS.flatMap((family) => [`${family}Lift`, `${family}Count`, `${family}Links`]),
  ...DIFFUSIONS.map((family) => `diffusion${capital(family)}`),
  ...['homeCountry', 'homeRegion', 'homeCity', 'statedStage', 'statedTags'],
];

/** Events that the average investor adds to the counts of one investor. */
const SHRINKAGE = 4;
const FLOOR = 0.1;

const indexOf = (family: Family) => FAMILIES.indexOf(family);
const AFFINITY_INDEXES = AFFINITIES.map(indexOf);
const PARTNER_INDEXES = PARTNERS.map(indexOf);
const DIFFUSION_INDEXES = DIFFUSIONS.map(indexOf);

/** Writes the features of a query and an investor to `out` from `at`. */
export function fillFeatures(
  history: History,
  query: ResolvedQuery,
  investor: number,
  out: Float32Array | Float64Array,
  at: number,
): void {
  let next = fillActivity(history, query, investor, out, at);
  for (const family of AFFINITY_INDEXES) {
    fillAffinity(history, query.values[family] ?? [], investor, out, next);
    next += 3;
  }
  for (const family of PARTNER_INDEXES) {
    fillPartners(history, query.values[family] ?? [], investor, out, next);
    next += 3;
  }
  for (const family of DIFFUSION_INDEXES) {
    out[next++] = diffusionOf(history, query.values[family] ?? [], investor);
  }
  fillHome(history, query, investor, out, next);
}

function fillActivity(
  history: History,
  query: ResolvedQuery,
  i: number,
  out: Float32Array | Float64Array,
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

function fillAffinity(
  history: History,
  values: readonly number[],
  i: number,
  out: Float32Array | Float64Array,
  at: number,
): void {
  let lift = 0;
  let liftFast = 0;
  let count = 0;
  let known = 0;
  const slow = history.slow[i] as number;
  const fast = history.fast[i] as number;
  for (const value of values) {
    const share = (history.totalSlow[value] as number) / history.slowSum;
    if (!(share > 0)) continue;
    known++;
    const position = findValue(history, i, value);
    const hits = position < 0 ? 0 : (history.valueSlow[position] as number);
    const hitsFast = position < 0 ? 0 : (history.valueFast[position] as number);
    lift += Math.log((hits / share + SHRINKAGE) / (slow + SHRINKAGE));
    const shareFast = (history.totalFast[value] as number) / history.fastSum + 1e-6;
    liftFast += Math.log((hitsFast / shareFast + SHRINKAGE) / (fast + SHRINKAGE));
    count += hits;
  }
  out[at] = known > 0 ? lift / known : 0;
  out[at + 1] = known > 0 ? liftFast / known : 0;
  out[at + 2] = known > 0 ? Math.log(count / known + FLOOR) : 0;
}

function fillPartners(
  history: History,
  values: readonly number[],
  i: number,
  out: Float32Array | Float64Array,
  at: number,
): void {
  let lift = 0;
  let count = 0;
  let links = 0;
  const slow = history.slow[i] as number;
  for (const value of values) {
    const position = findValue(history, i, value);
    if (position < 0) continue;
    const hits = history.valueSlow[position] as number;
    const share = (history.totalSlow[value] as number) / history.slowSum;
    lift = Math.max(lift, Math.log((hits / share + SHRINKAGE) / (slow + SHRINKAGE)));
    count += hits;
    links++;
  }
  out[at] = lift;
  out[at + 1] = Math.log(count + FLOOR) - Math.log(FLOOR);
  out[at + 2] = Math.log1p(links);
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

function fillHome(
  history: History,
  query: ResolvedQuery,
  i: number,
  out: Float32Array | Float64Array,
  at: number,
): void {
  const investor = history.timeline.data.investors[i];
  if (investor === undefined) return;
  const home = placeOf(investor);
  for (let k = 0; k < 3; k++) out[at + k] = home[k] !== '' && home[k] === query.place[k] ? 1 : 0;
  out[at + 3] = query.stage > 0 && investor.stages.includes(query.stage) ? 1 : 0;
  let shared = 0;
  for (const tag of investor.tags) if (query.tags.has(fold(tag))) shared++;
  out[at + 4] = Math.log1p(shared);
}

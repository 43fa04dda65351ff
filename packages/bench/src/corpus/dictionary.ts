import { Random } from '@vcds/demo-data/random';
import { DIMENSIONS, type DimensionId, dimensionById } from '@vcds/venture-model';

/** Countries, regions and cities: each region lies in a country, each city in a region. */
const COUNTRIES = 180;
const REGIONS = 1_500;
const CITIES = 8_000;
const INDUSTRIES = 2_000;
const FUND_GROUPS = 60;
const SERIES = 40;
const FIRST_YEAR_FOUNDED = 1950;
const FIRST_YEAR_OF_ROUNDS = 2000;
export const LAST_YEAR = 2026;

/** A value of the generated dictionary. */
export interface GeneratedValue {
  readonly code: number;
  readonly value: string;
}

/** All values, most frequent first where they are drawn by rank. */
export type GeneratedDictionary = Readonly<Record<DimensionId, readonly GeneratedValue[]>>;

/** Names of places and tags are invented. */
export function generateDictionary(): GeneratedDictionary {
  const names = inventedNames(new Random(7));
  let code = 0;
  const values = (id: DimensionId): readonly GeneratedValue[] =>
    textsOf(id, names).map((value) => {
      code += 1;
      return { code, value };
    });
  const entries = DIMENSIONS.map(({ id }) => [id, values(id)] as const);
  return Object.fromEntries(entries) as unknown as GeneratedDictionary;
}

/**
 * One of the first `count` numbers, the small ones most often: with skew 1, number n about
 * 1 / (n + 1) times as often as 0 (Zipf's law); a higher skew prefers small numbers more.
 */
export function rank(random: Random, count: number, skew = 1): number {
  return Math.min(Math.floor((count + 1) ** (random.unit() ** skew)) - 1, count - 1);
}

/** The regions of a country, or the cities of a region: from the first to before the end. */
export function placesOf(country: number, places: 'region' | 'city'): readonly [number, number] {
  const count = places === 'region' ? REGIONS : CITIES;
  return [startOf(country, count), startOf(country + 1, count)];
}

/** Larger countries have more of them, by the logarithm of their place; each has one at least. */
function startOf(country: number, count: number): number {
  const shared = count - COUNTRIES;
  const share = Math.log(country + 1) / Math.log(COUNTRIES + 1);
  return country + Math.floor(shared * share);
}

function textsOf(id: DimensionId, names: () => string): readonly string[] {
  const { closed, names: entity } = dimensionById(id);
  // Those of the funds.
  if (entity !== undefined) return [];
  if (closed !== undefined) return closed.map(({ value }) => String(value));
  const years = (first: number) =>
    Array.from({ length: LAST_YEAR - first + 1 }, (_, i) => String(LAST_YEAR - i));
  const counts: Partial<Record<DimensionId, number>> = {
    industry: INDUSTRIES,
    country: COUNTRIES,
    region: REGIONS,
    city: CITIES,
    fund_group: FUND_GROUPS,
    round_series: SERIES,
  };
  const length = counts[id];
  if (length !== undefined) return Array.from({ length }, names);
  if (id === 'founded_year') return years(FIRST_YEAR_FOUNDED);
  if (id === 'round_year') return years(FIRST_YEAR_OF_ROUNDS);
  throw new RangeError(`The bench has no values of ${id}.`);
}

const SYLLABLES = (
  'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu ' +
  'bran cles dor fin gal mer nor san vil'
).split(' ');

/** Names of two to four syllables, no two the same. */
function inventedNames(random: Random): () => string {
  const used = new Set<string>();
  return () => {
    for (;;) {
      const length = 2 + random.below(3);
      const joined = Array.from({ length }, () => random.pick(SYLLABLES)).join('');
      const name = joined.slice(0, 1).toUpperCase() + joined.slice(1);
      if (used.has(name)) continue;
      used.add(name);
      return name;
    }
  };
}

import type { Criteria, Investor, Startup } from './data.ts';

/** Families of the values that do not change with time. */
export const STATIC_FAMILIES = [
  ...(['tag', 'country', 'region', 'city', 'tagCountry', 'tagRegion'] as const),
];

/**
 * Kinds of values that describe a company at a time. An investment is counted for each value of
 * its company, and a query is matched value by value.
 */
export const FAMILIES = [
  ...STATIC_FAMILIES,
  ...(['age', 'depth', 'tagDepth', 'regionDepth', 'lastStage', 'lastAmount', 'pause'] as const),
  ...(['stage', 'stageTag', 'stageRegion'] as const),
  ...(['amount', 'amountExact', 'amountNear', 'amountTag', 'amountRegion'] as const),
  'partner' as const,
];

export type Family = (typeof FAMILIES)[number];

/** More tags of one company are ignored. */
const TAGS_MAX = 12;
const AGE_BUCKETS_YEARS = [1, 2, 3, 5, 8];
const DEPTH_MAX = 4;

/** Assigns numbers to values; investors have the first ones, as partners. */
export class Vocabulary {
  readonly #ids = new Map(FAMILIES.map((family) => [family, new Map<string, number>()]));
  readonly #families: Family[] = [];
  readonly #investors: number;

  constructor(investors: number) {
    this.#investors = investors;
  }

  /** How many numbers are in use, those of investors included. */
  get size(): number {
    return this.#families.length + this.#investors;
  }

  /** The number of a value, which is added if it is new. */
  add(family: Family, key: string): number {
    const known = this.find(family, key);
    if (known !== undefined) return known;
    const id = this.size;
    this.#ids.get(family)?.set(key, id);
    this.#families.push(family);
    return id;
  }

  /** The family of a value. */
  familyOf(value: number): Family {
    return this.#families[value - this.#investors] ?? 'partner';
  }

  /** The number of a value, undefined if no company ever had it. */
  find(family: Family, key: string): number | undefined {
    return this.#ids.get(family)?.get(key);
  }
}

/** The key of a property that a stored company does not have. */
const MISSING = '?';

type Intern = (family: Family, key: string) => number | undefined;

/** The values of a company that do not change with time. */
export function placeAndTagValues(company: Startup | Criteria, intern: Intern): number[] {
  const { tags, country, region, city } = keysOf(company);
  return numbers([
    ...tags.map((tag) => intern('tag', tag)),
    country && intern('country', country),
    region && intern('region', region),
    city && intern('city', city),
    ...tags.map((tag) => country && intern('tagCountry', `${tag}|${country}`)),
    ...tags.map((tag) => region && intern('tagRegion', `${tag}|${region}`)),
  ]);
}

/** The values of a round: its stage and amount, alone and with the tags and region of the company. */
export function roundValues(
  company: Startup | Criteria,
  stage: number,
  amountUsd: number,
  intern: Intern,
): number[] {
  const { tags, region } = keysOf(company);
  const amount = amountBucket(amountUsd);
  return numbers([
    ...(stage > 0
      ? [
          intern('stage', String(stage)),
          ...tags.map((tag) => intern('stageTag', `${stage}|${tag}`)),
          region && intern('stageRegion', `${stage}|${region}`),
        ]
      : []),
    ...(amountUsd > 0
      ? [
          intern('amount', String(Math.round(2 * Math.log2(amountUsd)))),
          intern('amountExact', amountUsd.toPrecision(2)),
          intern('amountNear', String(Math.floor(Math.log2(amountUsd) / 2))),
          ...tags.map((tag) => intern('amountTag', `${amount}|${tag}`)),
          region && intern('amountRegion', `${amount}|${region}`),
        ]
      : []),
  ]);
}

/** The state of a company before a day, without its place and tags. */
export interface Situation {
  /** Rounds before. */
  readonly depth: number;
  /** The last known stage, 0 if none. */
  readonly lastStage: number;
  /** The last known amount in USD, NaN if none. */
  readonly lastAmount: number;
  /** Day of the last investment, if any. */
  readonly lastDay: number;
  /** Distinct investors, the first ones first. */
  readonly investors: readonly number[];
}

/** The values of a company in a situation, without its investors. */
export function situationValues(
  { depth, lastStage, lastAmount, lastDay }: Situation,
  company: Startup | Criteria,
  day: number,
  intern: Intern,
): number[] {
  const age = ageBucket(company.founded ?? 0, day);
  const amount = amountBucket(lastAmount);
  const { tags, region } = keysOf(company);
  const isFirst = depth === 0 ? 'first' : 'later';
  return numbers([
    age && intern('age', age),
    intern('depth', String(Math.min(depth, DEPTH_MAX))),
    ...tags.map((tag) => intern('tagDepth', `${tag}|${isFirst}`)),
    region && intern('regionDepth', `${region}|${isFirst}`),
    lastStage > 0 && intern('lastStage', String(lastStage)),
    amount && intern('lastAmount', amount),
    depth > 0 && intern('pause', pauseBucket(day - lastDay)),
  ]);
}

function numbers(values: readonly (number | string | boolean | undefined)[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

/** Tags and places as they are compared; those that a stored company lacks count as missing. */
function keysOf(company: Startup | Criteria) {
  const tags = [...new Set((company.tags ?? []).map(fold))].filter(Boolean).slice(0, TAGS_MAX);
  const [country, region, city] = placeOf(company);
  if (!('id' in company)) return { tags, country, region, city };
  return {
    tags: tags.length > 0 ? tags : [MISSING],
    country: country || MISSING,
    region: region || `${country}|${MISSING}`,
    city,
  };
}

/** Country, region and city, each qualified by those before it; empty when unknown. */
export function placeOf(
  company: Startup | Criteria | Investor,
): readonly [country: string, region: string, city: string] {
  const country = fold(company.country ?? '');
  const region = fold(company.region ?? '');
  const city = fold(company.city ?? '');
  return [country, region && `${country}|${region}`, city && `${country}|${region}|${city}`];
}

/** The bucket of a company's age in years; empty when its founding year is unknown. */
function ageBucket(founded: number, day: number): string {
  if (founded === 0) return '';
  const age = 1970 + day / 365.25 - founded;
  return String(AGE_BUCKETS_YEARS.filter((bound) => age >= bound).length);
}

/** The bucket of an amount in USD: a factor of two each; empty when unknown. */
function amountBucket(amountUsd: number): string {
  return amountUsd > 0 ? String(Math.round(Math.log2(amountUsd))) : '';
}

/** The form in which tags and places are compared. */
export function fold(text: string): string {
  return text.trim().toLowerCase();
}

/** The bucket of the days since the last round. */
function pauseBucket(days: number): string {
  return String(Math.min(9, Math.round(Math.log2(1 + days / 30))));
}

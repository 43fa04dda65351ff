import type { Criteria, Investor, Startup } from './data.ts';

/**
 * Kinds of values that describe a company at a time. An investment is counted for each value of
 * its company, and a query is matched value by value.
 */
export const FAMILIES = [
  'tag',
  'country',
  'region',
  'city',
  'tagCountry',
  'tagRegion',
  'age',
  'depth',
  'tagDepth',
  'regionDepth',
  'lastStage',
  'lastAmount',
  'pause',
  'stage',
  'stageTag',
  'stageRegion',
  'amount',
  'amountNear',
  'amountTag',
  'amountRegion',
  'earlierInvestor',
  'sameRound',
] as const;

/** Families of the values that do not change with time. */
export const STATIC_FAMILIES = [
  'tag',
  'country',
  'region',
  'city',
  'tagCountry',
  'tagRegion',
] as const;

export type Family = (typeof FAMILIES)[number];

/** More tags of one company are ignored. */
const TAGS_MAX = 12;

const AGE_BUCKETS_YEARS = [1, 2, 3, 5, 8];
const DEPTH_MAX = 4;

/** Assigns numbers to values; investors have the first ones, as earlier and as parallel ones. */
export class Vocabulary {
  readonly #ids = new Map(FAMILIES.map((family) => [family, new Map<string, number>()]));
  readonly #families: Family[] = [];
  readonly #keys: string[] = [];
  readonly #investors: number;

  constructor(investors: number) {
    this.#investors = investors;
  }

  /** How many numbers are in use, those of investors included. */
  get size(): number {
    return this.#keys.length + 2 * this.#investors;
  }

  /** The number of a value, which is added if it is new. */
  add(family: Family, key: string): number {
    const known = this.find(family, key);
    if (known !== undefined) return known;
    const id = this.size;
    this.#ids.get(family)?.set(key, id);
    this.#families.push(family);
    this.#keys.push(key);
    return id;
  }

  /** The family and key of a value: an order of values that does not depend on other values. */
  nameOf(value: number): string {
    const at = value - 2 * this.#investors;
    return at < 0 ? `investor\n${value}` : `${this.#families[at]}\n${this.#keys[at]}`;
  }

  /** The family of a value that was added. */
  familyOf(value: number): Family | undefined {
    return this.#families[value - 2 * this.#investors];
  }

  /** The number of a value, undefined if no company ever had it. */
  find(family: Family, key: string): number | undefined {
    return this.#ids.get(family)?.get(key);
  }

  /** The value of companies in which an investor had invested before. */
  earlierInvestor(investor: number): number {
    return investor;
  }

  /** The value of rounds in which an investor takes part. */
  sameRound(investor: number): number {
    return this.#investors + investor;
  }

  isSameRound(value: number): boolean {
    return value >= this.#investors && value < 2 * this.#investors;
  }
}

/** The key of a property that a stored company does not have. */
const MISSING = '?';

type Intern = (family: Family, key: string) => number | undefined;

/** The values of a company that do not change with time. */
export function placeAndTagValues(company: Startup | Criteria, intern: Intern): number[] {
  const { tags, country, region, city } = keysOf(company);
  const values = [
    ...tags.map((tag) => intern('tag', tag)),
    country && intern('country', country),
    region && intern('region', region),
    city && intern('city', city),
    ...tags.map((tag) => country && intern('tagCountry', `${tag}|${country}`)),
    ...tags.map((tag) => region && intern('tagRegion', `${tag}|${region}`)),
  ];
  return values.filter((value) => typeof value === 'number');
}

/** The values of a round: its stage and amount, alone and with the tags and region of the company. */
export function roundValues(
  company: Startup | Criteria,
  stage: number,
  amountUsd: number,
  intern: Intern,
): number[] {
  const { tags, region } = keysOf(company);
  const values = [];
  if (stage > 0) {
    values.push(
      intern('stage', String(stage)),
      ...tags.map((tag) => intern('stageTag', `${stage}|${tag}`)),
      region && intern('stageRegion', `${stage}|${region}`),
    );
  }
  if (amountUsd > 0) {
    const amount = amountBucket(amountUsd);
    values.push(
      intern('amount', String(Math.round(2 * Math.log2(amountUsd)))),
      intern('amountNear', String(Math.floor(Math.log2(amountUsd) / 2))),
      ...tags.map((tag) => intern('amountTag', `${amount}|${tag}`)),
      region && intern('amountRegion', `${amount}|${region}`),
    );
  }
  return values.filter((value) => typeof value === 'number');
}

/** Tags and places as they are compared; those that a stored company lacks count as missing. */
export function keysOf(company: Startup | Criteria) {
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
export function ageBucket(founded: number, day: number): string {
  if (founded === 0) return '';
  const age = 1970 + day / 365.25 - founded;
  return String(AGE_BUCKETS_YEARS.filter((bound) => age >= bound).length);
}

/** The bucket of how many rounds came before. */
export function depthBucket(rounds: number): string {
  return String(Math.min(rounds, DEPTH_MAX));
}

/** The bucket of an amount in USD: a factor of two each; empty when unknown. */
export function amountBucket(amountUsd: number): string {
  return amountUsd > 0 ? String(Math.round(Math.log2(amountUsd))) : '';
}

/** The form in which tags and places are compared. */
export function fold(text: string): string {
  return text.trim().toLowerCase();
}

/** The bucket of the days since the last round. */
export function pauseBucket(days: number): string {
  return String(Math.min(9, Math.round(Math.log2(1 + days / 30))));
}

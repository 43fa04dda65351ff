/** How alike two companies are, from 0 to 1 (docs/spec/similar.md 24.4). Pure. */

/** The facts of a company that are compared; an unknown one is empty or null. */
export interface Facts {
  readonly tags: readonly string[];
  /** The words of the profile, as the full-text search has them. */
  readonly words: readonly string[];
  /** The words of name, tags and places. Those that both have are no words in common: tags and places are compared. */
  readonly labels: readonly string[];
  readonly countries: readonly string[];
  readonly regions: readonly string[];
  readonly cities: readonly string[];
  /** Of a startup its last stage; of a fund those of its mandate. */
  readonly stages: readonly number[];
  /** Of a fund the kinds of investor. */
  readonly types: readonly string[];
  /** The number of the headcount bucket. */
  readonly size: number | null;
}

/** How alike the investors of two startups are, or the portfolios of two funds. */
export interface Shared {
  /** From 0 to 1. */
  readonly likeness: number;
}

/** How rare a value is among all companies: 1 if it is in none of the sample, 0 if all have it, or, of a word, many. */
export interface Rarity {
  readonly ofTag: (tag: string) => number;
  readonly ofWord: (word: string) => number;
}

export type Kind = 'startup' | 'fund';
export const FACTORS = [
  ...(['tags', 'words', 'investors', 'portfolio'] as const),
  ...(['place', 'stage', 'types', 'size'] as const),
] as const;
export type Factor = (typeof FACTORS)[number];

/** A factor and its part of the score. */
export interface Part {
  readonly factor: Factor;
  readonly part: number;
}

/** The most of the score that each factor can add; 1 in all. */
export const WEIGHTS: Readonly<Record<Kind, Readonly<Partial<Record<Factor, number>>>>> = {
  startup: { tags: 0.32, words: 0.32, investors: 0.14, place: 0.08, stage: 0.07, size: 0.07 },
  fund: {
    ...{ portfolio: 0.34, tags: 0.2, words: 0.16, stage: 0.1, place: 0.08 },
    ...{ types: 0.06, size: 0.06 },
  },
};

/** Stages with an order; others are alike only if they are equal. */
const ORDERED_STAGES = 11;

type Likeness = (one: Facts, other: Facts, rarity: Rarity) => number;

const LIKENESSES: Readonly<Record<Exclude<Factor, 'investors' | 'portfolio'>, Likeness>> = {
  tags: (one, other, { ofTag }) => overlap(one.tags, other.tags, ofTag),
  words: (one, other, { ofWord }) => {
    const isCompared = comparesWord(one, other);
    return cosine(one.words.filter(isCompared), other.words.filter(isCompared), ofWord);
  },
  place: (one, other) => {
    if (one.cities.some((city) => other.cities.includes(city))) return 1;
    if (one.regions.some((region) => other.regions.includes(region))) return 0.75;
    return one.countries.some((country) => other.countries.includes(country)) ? 0.5 : 0;
  },
  stage: (one, other) => {
    if (one.stages.length > 1 || other.stages.length > 1) {
      return overlap(one.stages.map(String), other.stages.map(String), () => 1);
    }
    const [a, b] = [one.stages[0], other.stages[0]];
    if (a === undefined || b === undefined) return 0;
    if (a === b) return 1;
    return Math.max(a, b) <= ORDERED_STAGES && Math.abs(a - b) === 1 ? 0.5 : 0;
  },
  types: (one, other) => overlap(one.types, other.types, () => 1),
  size: (one, other) => {
    if (one.size === null || other.size === null) return 0;
    return Math.max(0, 1 - Math.abs(one.size - other.size) / 2);
  },
};

/** Whether two profiles are compared by a word: not if it is in the labels of both. */
export function comparesWord(one: Facts, other: Facts): (word: string) => boolean {
  return (word) => !(one.labels.includes(word) && other.labels.includes(word));
}

/** The parts of the score, the largest first; those of 0 are left out. */
export function partsOf(
  kind: Kind,
  one: Facts,
  other: Facts,
  { likeness }: Shared,
  rarity: Rarity,
): readonly Part[] {
  const parts = Object.entries(WEIGHTS[kind]).map(([name, weight]): Part => {
    const factor = name as Factor;
    const isShared = factor === 'investors' || factor === 'portfolio';
    const alike = isShared ? likeness : LIKENESSES[factor](one, other, rarity);
    return { factor, part: weight * alike };
  });
  return parts.filter(({ part }) => part > 0).sort((a, b) => b.part - a.part);
}

/** From 0 to 1, to four decimals. */
export function scoreOf(parts: readonly Part[]): number {
  return Math.round(parts.reduce((sum, { part }) => sum + part, 0) * 10_000) / 10_000;
}

/** Of two startups: an investor in few companies says more than one in thousands. */
export function likenessOfInvestors(investments: readonly number[]): number {
  const sum = investments.reduce((all, each) => all + 1 / (1 + Math.log10(1 + each)), 0);
  return 1 - Math.exp(-1.5 * sum);
}

/** As if each portfolio had so many other companies: one common company of two small portfolios is chance. */
const OTHER_COMPANIES = 10;

/** Of two funds, by the number of companies in both portfolios and in each. */
export function likenessOfPortfolios(both: number, one: number, other: number): number {
  const size = Math.sqrt((one + OTHER_COMPANIES) * (other + OTHER_COMPANIES));
  return Math.min(1, Math.sqrt(both / size));
}

/**
 * The rarity of what both have, as a share of all that either has. Common values count less: one
 * common value is much less than three rare ones.
 */
function overlap(
  one: readonly string[],
  other: readonly string[],
  weightOf: (value: string) => number,
): number {
  const both = sum(
    one.filter((value) => other.includes(value)),
    weightOf,
  );
  if (both === 0) return 0;
  const share = both / (sum(one, weightOf) + sum(other, weightOf) - both);
  return share * (1 - Math.exp(-2 * both));
}

/** The cosine of the angle between the profiles, drawn out at its lower end, where real pairs are. */
function cosine(
  one: readonly string[],
  other: readonly string[],
  rarityOf: (value: string) => number,
): number {
  const squared = (value: string) => rarityOf(value) ** 2;
  const others = new Set(other);
  const both = sum(
    one.filter((value) => others.has(value)),
    squared,
  );
  if (both === 0) return 0;
  return Math.min(1, Math.sqrt(both / Math.sqrt(sum(one, squared) * sum(other, squared))));
}

function sum(values: readonly string[], weightOf: (value: string) => number): number {
  return values.reduce((all, value) => all + weightOf(value), 0);
}

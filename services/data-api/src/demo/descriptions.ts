/** Descriptions that read like sentences and say that the company is invented. */
import { sectorAt } from './profile.ts';
import type { Random } from './random.ts';
import type { City } from './words/cities.ts';
import { fundManners } from './words/funds.ts';
import { commonTags, qualities, sectors } from './words/industries.ts';

export interface Described {
  readonly name: string;
  readonly sector: number;
  readonly tags: readonly string[];
  readonly home: City | null;
  readonly founded: number | null;
}

/** The sentence that every description of the world ends with. */
export const inventedCompany = 'An invented company, for demonstration.';
export const inventedFund = 'An invented fund, for demonstration.';

export function describeStartup(random: Random, described: Described): string {
  const { name, tags } = described;
  const { products, customers } = sectorAt(described.sector);
  const product = random.pick(products);
  const customer = random.pick(customers);
  const quality = random.pick(qualities);
  const field = tags.length === 0 ? '' : ` in ${spoken(tags[0] ?? '')}`;
  const opening = [
    `${name} makes ${product} for ${customer}, ${quality}.`,
    `${name} gives ${customer} ${product} ${quality}.`,
    `${name}, a company${field}, offers ${product} to ${customer}.`,
    `With ${name}, ${customer} get ${product} ${quality}.`,
  ][random.below(4)];
  return [opening, ...origin(random, described), ...subjects(random, tags), inventedCompany].join(
    ' ',
  );
}

function origin(random: Random, { home, founded }: Described): string[] {
  if (random.chance(0.3)) return [];
  const place = home === null ? '' : ` in ${home.name}`;
  const since = founded === null ? '' : ` in ${founded}`;
  if (place === '' && since === '') return [];
  return since === ''
    ? [`The team works${place}.`]
    : [`It was founded${since}${place === '' ? '' : ` and works${place}`}.`];
}

function subjects(random: Random, tags: readonly string[]): string[] {
  if (tags.length === 0) return [];
  const listed = sentenceList(tags.map(spoken));
  return [
    tags.length > 1 && random.chance(0.5)
      ? `Its subjects are ${listed}.`
      : `It works on ${listed}.`,
  ];
}

export function describeFund(random: Random, described: Described, stageLabels: string[]): string {
  const { name, tags, home, founded } = described;
  const place = home === null ? '' : ` in ${home.name}`;
  const since = founded === null ? '' : ` since ${founded}`;
  const focus = tags.length === 0 ? 'companies of all kinds' : sentenceList(tags.map(spoken));
  const mandate =
    stageLabels.length === 0
      ? `${name} backs ${focus}.`
      : `${name} invests in ${sentenceList(stageLabels.slice(0, 3))} rounds, mostly in ${focus}.`;
  const base = place === '' && since === '' ? [] : [`It has worked${place}${since}.`];
  return [mandate, ...base, `It ${random.pick(fundManners)}.`, inventedFund].join(' ');
}

/** A tag within a sentence. */
const spoken = (tag: string): string => spokenTags.get(tag) ?? tag;

/** All tags in lower case, but for words such as SaaS, B2B and API. */
const spokenTags: ReadonlyMap<string, string> = new Map(
  [...commonTags, ...sectors.flatMap(({ tags }) => tags)].map((tag) => [
    tag,
    tag.replace(/\b[A-Z](-[A-Z])?[a-z]+\b/g, (word) => word.toLowerCase()),
  ]),
);

/** `a, b and c`. */
export function sentenceList(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** Descriptions; each ends with the statement that the company is invented. */
import { faker } from '@faker-js/faker/locale/en';
import type { Random } from './random.ts';
import type { City } from './words/places.ts';
import { FUND_MANNERS, stageInText } from './words/tables.ts';

/** The facts that a description states. */
interface Facts {
  readonly name: string;
  readonly home: City | null;
  readonly tags: readonly string[];
  readonly founded: number | null;
}

const { adjective, descriptor, noun } = faker.rawDefinitions.company ?? {};

/** Words for a product, such as `user-centric needs-based parallelism`. */
export const productOf = (random: Random): string =>
  [adjective, descriptor, noun]
    .map((words) => random.pick(words ?? ['']))
    .join(' ')
    .toLowerCase();

export function describeStartup(random: Random, { name, tags, home, founded }: Facts): string {
  const product = productOf(random);
  const opening = random.pick([
    `${name} makes ${product}.`,
    `${name} offers ${product}.`,
    `The product of ${name} is ${product}.`,
  ]);
  const origin = founded === null ? '' : `It was founded in ${founded}${placeOf(home)}.`;
  const topics = tags.length === 0 ? '' : `It works on ${sentenceList(tags.map(inText))}.`;
  return paragraph(opening, origin, topics, 'An invented company, for demonstration.');
}

export function describeFund(random: Random, stages: readonly number[], facts: Facts): string {
  const { name, tags, home, founded } = facts;
  const focus = tags.length === 0 ? 'companies of all kinds' : sentenceList(tags.map(inText));
  const rounds = sentenceList(stages.slice(0, 3).map(stageInText));
  const mandate =
    rounds === '' ? `backs ${focus}` : `invests in ${rounds} rounds, mostly in ${focus}`;
  const origin = founded === null ? '' : `It has worked${placeOf(home)} since ${founded}.`;
  const manner = `It ${random.pick(FUND_MANNERS)}.`;
  return paragraph(`${name} ${mandate}.`, origin, manner, 'An invented fund, for demonstration.');
}

const placeOf = (home: City | null): string => (home === null ? '' : ` in ${home.name}`);

const paragraph = (...sentences: string[]): string => sentences.filter(Boolean).join(' ');

/** A tag in lower case, except words such as SaaS, B2B and API. */
const inText = (tag: string): string =>
  tag.replace(/\b[A-Z](-[A-Z])?[a-z]+\b/g, (word) => word.toLowerCase());

/** `a, b and c`. */
const sentenceList = (items: readonly string[]): string =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

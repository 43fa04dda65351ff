import { createHash } from 'node:crypto';
import { Random } from '@vcds/demo-data/random';
import {
  DESCRIPTORS,
  FUND_STEMS,
  familyName,
  givenName,
  SECTORS,
  STARTUP_STEMS,
} from '@vcds/demo-data/words';
import { type GeneratedDictionary, placesOf, rank } from './dictionary.ts';

/** The size of a corpus; everything else follows from these. */
export interface CorpusSize {
  readonly startups: number;
  readonly seed: number;
}

/** The last day of the corpus, and the first of the days on which changes arrived one by one. */
export const LAST_DAY = '2026-11-01';
export const FOLLOWED_FROM = '2026-01-01';
const LAST_DAY_NUMBER = dayNumber(LAST_DAY);

/** Startups of one fund, and of one town that lies in no city. */
const STARTUPS_PER_FUND = 50;
const STARTUPS_PER_TOWN = 200;
const TOWN_SHARE = 0.01;
const LOCALES = ['en', 'de', 'fr', 'es'];
const NAMES_KEPT = 4_000;
const MOST_COMMON_STEMS = 1_500;

export const fundsOf = ({ startups }: CorpusSize): number =>
  Math.max(20, Math.round(startups / STARTUPS_PER_FUND));

/** The id of a record: the digest of its kind and number. */
export function idOf(kind: string, ...numbers: readonly number[]): string {
  return createHash('md5')
    .update(`${kind} ${numbers.join(' ')}`)
    .digest('hex');
}

export function dayNumber(day: string): number {
  return Math.floor(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
}

/** A day as text, at most the last day of the corpus. */
export function dayText(day: number): string {
  const last = Math.min(Math.floor(day), LAST_DAY_NUMBER);
  return new Date(last * 86_400_000).toISOString().slice(0, 10);
}

const RECORDS_PER_TRANSACTION = 5_000;
const TRANSACTION_MS = 1_937;

/** The time of an import from that hour of a day on: the records of a transaction have one, by their numbers. */
export function importedAt(day: number, hour: number, number: number): string {
  const transaction = Math.floor(number / RECORDS_PER_TRANSACTION);
  const startedMs = Date.parse(`${dayText(day)}T00:00:00Z`) + hour * 3_600_000;
  return new Date(startedMs + transaction * TRANSACTION_MS).toISOString();
}

/** The words of one sector that follow a stem, and those of any. */
const ENDINGS = SECTORS.map(({ descriptors }) => [...descriptors, ...DESCRIPTORS]);
const LEGAL_FORMS = ['Inc.', 'GmbH', 'Ltd', 'SAS', 'AB', 'B.V.'];

/** A name such as `Amberloom Health`: some stems are common, and half of them stand alone. */
export function startupWords(random: Random): string {
  const stems = random.chance(0.3) ? MOST_COMMON_STEMS : STARTUP_STEMS.length;
  const words = [STARTUP_STEMS[random.below(stems)] ?? ''];
  if (random.chance(0.12)) words.push(STARTUP_STEMS[random.below(STARTUP_STEMS.length)] ?? '');
  if (random.chance(0.55)) words.push(random.pick(ENDINGS[rank(random, ENDINGS.length)] ?? ['']));
  if (random.chance(0.05)) words.push(random.pick(LEGAL_FORMS));
  return words.join(' ');
}

/** A name such as `Alder Bank Ventures`. */
export function fundWords(random: Random, suffixes: readonly string[]): string {
  return `${random.pick(FUND_STEMS)} ${random.pick(suffixes)}`;
}

const namesRandom = new Random('names of people');
const drawn = (draw: (random: Random, locale: string) => string): readonly string[] =>
  Array.from({ length: NAMES_KEPT }, () => draw(namesRandom, namesRandom.pick(LOCALES)));
const GIVEN_NAMES = drawn(givenName);
const FAMILY_NAMES = drawn(familyName);

export function personWords(random: Random): readonly [first: string, last: string] {
  return [random.skewedPick(GIVEN_NAMES), random.pick(FAMILY_NAMES)];
}

/** A name as a label of a host. */
export const labelOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');

/** An address, as the product stores it. */
export interface Address {
  readonly City: string;
  readonly Region: string;
  readonly Country: string;
}

/** Draws an address: one in a hundred lies in a town with two startups on average. */
export function drawAddress(
  random: Random,
  { country: countries, region, city }: GeneratedDictionary,
  { startups }: CorpusSize,
): Address {
  const country = rank(random, countries.length, 2);
  const [firstRegion, endRegion] = placesOf(country, 'region');
  const [firstCity, endCity] = placesOf(country, 'city');
  const town = random.chance(TOWN_SHARE)
    ? `Little ${STARTUP_STEMS[random.below(Math.ceil(startups / STARTUPS_PER_TOWN))]}`
    : undefined;
  return {
    City: town ?? city[firstCity + rank(random, endCity - firstCity)]?.value ?? '',
    Region: region[firstRegion + rank(random, endRegion - firstRegion)]?.value ?? '',
    Country: countries[country]?.value ?? '',
  };
}

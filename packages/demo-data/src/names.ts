/** Names of companies, funds and people. */
import type { Faker } from '@faker-js/faker';
import { permuted, Random } from './random.ts';
import type { DatasetSpec } from './spec.ts';
import { type City, LOCALES } from './words/places.ts';
import { FUND_STEMS, NATIVE_PARTS, STARTUP_STEMS } from './words/stems.ts';
import { DESCRIPTORS, SECTORS } from './words/tables.ts';

export interface CompanyName {
  readonly name: string;
  /** The label of its domain under `.example`; unique in the data set. */
  readonly label: string;
}

/** The words of a name: one of the stems, permuted; a number is added when all are used. */
function stemOf({ seed }: DatasetSpec, index: number, stems: readonly string[]) {
  const { length } = stems;
  const stem = stems[permuted(index % length, length, seed, 'name')] ?? '';
  return { stem, number: index < length ? '' : ` ${Math.floor(index / length) + 1}` };
}

/** The name of a startup. Names in Latin letters are unique in a data set. */
export function startupName(
  spec: DatasetSpec,
  index: number,
  sector: number,
  home: City | null,
): CompanyName {
  const random = new Random(spec.seed, 'startup name', index);
  const { stem, number } = stemOf(spec, index, STARTUP_STEMS);
  const descriptors = random.chance(0.5) ? DESCRIPTORS : (SECTORS[sector]?.descriptors ?? []);
  const descriptor = random.chance(0.4) ? ` ${random.pick(descriptors)}` : '';
  const name = `${stem}${descriptor}${number}`;
  const label = domainLabel(name);
  const { locale = '', legalForm = '' } = home?.country ?? {};
  const parts = NATIVE_PARTS.get(locale);
  if (parts !== undefined && random.chance(0.15)) {
    const [one, other] = [random.pick(parts), random.pick(parts)];
    return { name: one.written + other.written, label: `${one.latin}${other.latin}-${label}` };
  }
  return { name: legalForm && random.chance(0.04) ? `${name} ${legalForm}` : name, label };
}

/** The name of a fund; unique in a data set. */
export function fundName(spec: DatasetSpec, index: number, suffixes: readonly string[]) {
  const { stem, number } = stemOf(spec, index, FUND_STEMS);
  const suffix = new Random(spec.seed, 'fund name', index).pick(suffixes);
  const label = domainLabel(`${stem}${number} ${suffix}`);
  return { name: `${stem} ${suffix}${number}`, label } satisfies CompanyName;
}

/** Given names and real family names by locale. */
const PERSON_NAMES = new Map(
  await Promise.all(
    LOCALES.map(async (locale) => {
      const { faker }: { faker: Faker } = await import(`@faker-js/faker/locale/${locale}`);
      const { first_name, last_name } = faker.rawDefinitions.person ?? {};
      const [given, family] = [first_name, last_name].map((entry) =>
        [entry?.generic, entry?.female, entry?.male].flatMap((names) => names ?? []),
      );
      return [locale, { given: given ?? [], family: family ?? [], real: new Set(family) }] as const;
    }),
  ),
);

/** The name of a person of a locale, one in six of another; family names are invented. */
export function personName(random: Random, home: string) {
  const locale = random.chance(0.83) ? home : random.pick(LOCALES);
  const parts = NATIVE_PARTS.get(locale);
  if (parts === undefined) {
    const [first, last] = [givenName(random, locale), familyName(random, locale)];
    return { name: `${first} ${last}`, first, last };
  }
  const [one, other] = [random.pick(parts), random.pick(parts)];
  const isNative = random.chance(0.25);
  const first = givenName(random, isNative ? locale : 'en');
  const latin = one.latin.slice(0, 1).toUpperCase() + one.latin.slice(1) + other.latin;
  const last = isNative ? one.written + other.written : latin;
  const isFamilyFirst = isNative && /^(ja|ko|zh)/.test(locale);
  return { name: isFamilyFirst ? last + first : `${first} ${last}`, first, last };
}

/** A given name of a locale. */
export const givenName = (random: Random, locale: string): string =>
  random.pick(PERSON_NAMES.get(locale)?.given ?? []);

const VOWEL = '[aeiouyà-æè-öø-ýāăąēęěīıőœũūůű]';
const SYLLABLES = new RegExp(`^(.*?${VOWEL}+(?:(?!${VOWEL}).)+)(${VOWEL}.*)$`, 'i');

/** The beginning of one family name with the end of another; no family name of the locale. */
export function familyName(random: Random, locale: string): string {
  const { family: names = [], real } = PERSON_NAMES.get(locale) ?? {};
  for (let tries = 0; tries < 4; tries += 1) {
    const [, head] = SYLLABLES.exec(random.pick(names)) ?? [];
    const [, , tail] = SYLLABLES.exec(random.pick(names)) ?? [];
    const name = `${head}${tail}`;
    if (head !== undefined && tail !== undefined && !real?.has(name)) return name;
  }
  return `${random.pick(names)}-${random.pick(names)}`;
}

/** Letters that Unicode does not decompose into a base letter and marks. */
const BASE_LETTERS = new Map(Object.entries({ ø: 'o', æ: 'ae', ß: 'ss', ł: 'l', đ: 'd', ı: 'i' }));

/** A name as a label of a domain: lower-case letters, digits and hyphens. */
export const domainLabel = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[øæßłđı]/g, (letter) => BASE_LETTERS.get(letter) ?? '')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

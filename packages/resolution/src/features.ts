import { editDistance } from '@vcds/odata-query';
import type { Compiled } from './compile.ts';
import { nameCrowdKey, siteCrowdKey } from './keys.ts';
import { distinctWords, isGeneralWord, isPartWord, type NameKey, rarityOf } from './names.ts';

/** The other statements, as far as the comparison needs them. */
export interface Crowd {
  /** About how many statements there are of the entity: {@link sizeClass}. */
  readonly statements: number;
  /** The largest number of statements of one source that have a key: 1 if none shares it. */
  readonly holders: (key: number) => number;
}

/**
 * The next power of two: a few statements more change the evidence of no other pair, and a coincidence is rather
 * thought too likely.
 */
export const sizeClass = (count: number): number => 2 ** Math.ceil(Math.log2(Math.max(count, 1)));

/** The evidence of a pair by name; a feature that is absent is 0. */
export type Features = Partial<Record<FeatureName, number>>;

/** In the order of the table of weights. */
export const FEATURES = [
  'nameSame',
  'nameSameRarity',
  'nameWords',
  'nameWordsRarity',
  'nameTypo',
  'nameTypoRarity',
  'nameOther',
  'nameMissingWords',
  'namePart',
  'nameIsLabel',
  'nameShared',
  'siteSame',
  'siteSameOtherName',
  'siteShared',
  'siteOther',
  'siteOtherEnding',
  'identifierSame',
  'countrySame',
  'countryOther',
  'regionSame',
  'regionOther',
  'citySame',
  'cityOther',
  'placeUnknown',
  'foundedSame',
  'foundedNear',
  'foundedOther',
  'roundsSame',
  'roundsOther',
  'totalSame',
  'totalOther',
  'newsSame',
  'linksSame',
  'linksOther',
  'peopleSame',
  'peopleOther',
  'tagsSame',
  'tagsOther',
  'textSame',
  'textOther',
] as const;
export type FeatureName = (typeof FEATURES)[number];

/** Compares two statements. Symmetric. */
export function featuresOf(a: Compiled, b: Compiled, crowd: Crowd): Features {
  const features: Features = {};
  addNames(features, a, b, crowd);
  addSites(features, a, b, crowd);
  addPlaces(features, a, b);
  if (overlap(a.identifiers, b.identifiers) > 0) features.identifierSame = 1;
  if (a.founded > 0 && b.founded > 0) {
    const years = Math.abs(a.founded - b.founded);
    features[years === 0 ? 'foundedSame' : years <= 2 ? 'foundedNear' : 'foundedOther'] = 1;
  }
  addMoney(features, a, b);
  addLists(features, a, b);
  return features;
}

interface NameMatch {
  readonly kind: 'Same' | 'Words' | 'Typo' | 'Other';
  readonly rarity: number;
  /** Of the words that only one has, in nats. */
  readonly missing: number;
  /** Whether one is named as a part of the other: `Acme`, `Acme Japan`. */
  readonly isPart?: boolean;
}
const KINDS = ['Other', 'Typo', 'Words', 'Same'] as const;

function addNames(features: Features, a: Compiled, b: Compiled, crowd: Crowd): void {
  let best: NameMatch = { kind: 'Other', rarity: 0, missing: 0 };
  for (const one of a.names) {
    for (const other of b.names) {
      const match = matchNames(one, other);
      const by = KINDS.indexOf(match.kind) - KINDS.indexOf(best.kind);
      if (by > 0 || (by === 0 && match.rarity - match.missing > best.rarity - best.missing))
        best = match;
    }
  }
  const { kind, rarity, missing, isPart = false } = best;
  features[`name${kind}`] = 1;
  const size = Math.log(Math.max(crowd.statements, 1_000));
  if (kind !== 'Other') features[`name${kind}Rarity`] = clamp((rarity - size) / 4, -2, 2);
  if (missing > 0) features.nameMissingWords = Math.min(missing / 8, 2);
  if (isPart) features.namePart = 1;
  if (isLabel(a, b) || isLabel(b, a)) features.nameIsLabel = 1;
  const holders = Math.max(
    ...[...a.names.slice(0, 1), ...b.names.slice(0, 1)].map(({ compact }) =>
      crowd.holders(nameCrowdKey(compact)),
    ),
  );
  if (holders > 1) features.nameShared = Math.log2(holders);
}

/** Compares two names: the same letters, the same distinct words, a typo, or another name. */
export function matchNames(a: NameKey, b: NameKey): NameMatch {
  if (a.compact === b.compact) {
    return { kind: 'Same', rarity: Math.max(rarityOf(a.words), rarityOf(b.words)), missing: 0 };
  }
  const common = a.words.filter((word) => b.words.includes(word));
  const rest = [...a.words, ...b.words].filter((word) => !common.includes(word));
  const distinct = distinctWords(common).filter((word) => !isGeneralWord(word));
  const sameDistinct = distinctWords(a.words).join('') === distinctWords(b.words).join('');
  if (sameDistinct || (distinct.length > 0 && isWithin(common, a, b))) {
    const missing = rest.reduce((sum, word) => sum + missingOf(word), 0);
    const shared = sameDistinct ? distinctWords(a.words) : common;
    return { kind: 'Words', rarity: rarityOf(shared), missing, isPart: rest.some(isPartWord) };
  }
  const length = Math.max(a.compact.length, b.compact.length);
  const bound = length < 5 ? 0 : length < 9 ? 1 : 2;
  const edits = bound === 0 ? 1 : editDistance(a.compact, b.compact, bound);
  if (edits <= bound && digitsOf(a.compact) === digitsOf(b.compact)) {
    return {
      kind: 'Typo',
      rarity: Math.min(rarityOf(a.words), rarityOf(b.words)),
      missing: 4 * edits,
    };
  }
  return { kind: 'Other', rarity: 0, missing: 0 };
}

const isWithin = (common: readonly string[], a: NameKey, b: NameKey): boolean =>
  common.length === Math.min(a.words.length, b.words.length);
const digitsOf = (text: string): string => text.replace(/\D+/gu, '');

/** The evidence against two names of a word that only one has, in nats. */
function missingOf(word: string): number {
  return isGeneralWord(word) ? 1.5 : Math.min(rarityOf([word]), 10);
}

function isLabel(a: Compiled, b: Compiled): boolean {
  return a.label.length > 2 && b.names.some(({ compact }) => compact === a.label);
}

function addSites(features: Features, a: Compiled, b: Compiled, crowd: Crowd): void {
  const same = a.sites.filter((site) => b.sites.includes(site));
  if (same.length > 0) {
    features.siteSame = 1;
    if (features.nameOther !== undefined) features.siteSameOtherName = 1;
    const holders = Math.min(...same.map((site) => crowd.holders(siteCrowdKey(site))));
    if (holders > 1) features.siteShared = Math.log2(holders);
  } else if (a.label !== '' && b.label !== '' && !a.siteIsDead && !b.siteIsDead) {
    features[a.label === b.label ? 'siteOtherEnding' : 'siteOther'] = 1;
  }
}

function addPlaces(features: Features, a: Compiled, b: Compiled): void {
  const country = compareLists(a.countries, b.countries);
  if (country === 0) features.placeUnknown = 1;
  else features[country > 0 ? 'countrySame' : 'countryOther'] = 1;
  const region = compareLists(a.regions, b.regions);
  if (region !== 0) features[region > 0 ? 'regionSame' : 'regionOther'] = 1;
  const city = compareLists(a.cities, b.cities);
  if (city !== 0) features[city > 0 ? 'citySame' : 'cityOther'] = 1;
}

/** 1 if two lists share an element, -1 if not, 0 if one is empty. */
export function compareLists(a: readonly unknown[], b: readonly unknown[]): -1 | 0 | 1 {
  if (a.length === 0 || b.length === 0) return 0;
  return overlap(a, b) > 0 ? 1 : -1;
}

function overlap(a: readonly unknown[], b: readonly unknown[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  return a.filter((element) => b.includes(element)).length;
}

function addMoney(features: Features, a: Compiled, b: Compiled): void {
  const [one, other] = [a, b].map(({ rounds }) => rounds.filter((round) => !round.endsWith('|')));
  const rounds = sameRounds(one ?? [], other ?? []);
  if (rounds > 0) features.roundsSame = Math.min(rounds, 3);
  else if ((one?.length ?? 0) > 0 && (other?.length ?? 0) > 0) features.roundsOther = 1;
  if (a.total > 0 && b.total > 0) {
    const isSame = Math.abs(a.total - b.total) <= 0.001 * a.total;
    // Totals of millions are shared by many.
    if (isSame) features.totalSame = a.total % 100_000 === 0 ? 0.5 : 1;
    else features.totalOther = 1;
  }
  const news = overlap(a.newsDays, b.newsDays);
  if (news > 0) features.newsSame = Math.min(news, 2);
}

/** Rounds of the same amount at most {@link MONTHS_APART} months apart: announced or closed. */
function sameRounds(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const same = a.filter((one) =>
    b.some((other) => one.slice(7) === other.slice(7) && monthsApart(one, other) <= MONTHS_APART),
  );
  // Many companies raise a whole million in the same month.
  return same.reduce((sum, round) => sum + (Number(round.slice(8)) % 500_000 === 0 ? 0.8 : 1.3), 0);
}

const MONTHS_APART = 2;
const monthOf = (round: string): number =>
  12 * Number(round.slice(0, 4)) + Number(round.slice(5, 7));
const monthsApart = (a: string, b: string): number => Math.abs(monthOf(a) - monthOf(b));

function addLists(features: Features, a: Compiled, b: Compiled): void {
  const links = overlap(a.links, b.links);
  if (links > 0) features.linksSame = Math.min(Math.log2(1 + links), 4);
  else if (a.links.length > 0 && b.links.length > 0) features.linksOther = 1;
  const people = overlap(a.people, b.people);
  if (people > 0) features.peopleSame = Math.min(people, 3);
  else if (a.people.length > 0 && b.people.length > 0) features.peopleOther = 1;
  const tags = compareLists(a.tags, b.tags);
  if (tags !== 0) features[tags > 0 ? 'tagsSame' : 'tagsOther'] = 1;
  const least = Math.min(a.text.length, b.text.length);
  if (least < 5) return;
  const share = overlap(a.text, b.text) / least;
  if (share > 0.2) features.textSame = Math.min(share * 3, 3);
  else features.textOther = 1;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

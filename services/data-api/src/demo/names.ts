import type { WorldPlan } from './plan.ts';
import { sectorAt } from './profile.ts';
import { Random, shuffled, streams } from './random.ts';
import { descriptors, distinctions, flavours, legalForms, nativeBrands } from './words/brands.ts';
import type { City } from './words/cities.ts';
import { fundSeconds, fundStarts, fundSuffixes } from './words/funds.ts';
import { cultures, nativeNames } from './words/people.ts';

export interface CompanyName {
  readonly name: string;
  /** The label of the domain under `.example`: unique to the company. */
  readonly label: string;
}

export interface PersonName {
  readonly name: string;
  readonly first: string;
  readonly last: string;
}

/**
 * The name of a startup of a sector. Names in Latin letters are unique within a world: the parts of
 * a flavour are gone through in shuffled order, and when they are used up a distinction follows.
 */
export function startupName(
  plan: WorldPlan,
  index: number,
  sector: number,
  home: City | null,
): CompanyName {
  const random = new Random(plan.seed, streams.brand, index);
  const turn = turns[index % turns.length];
  if (turn === undefined) throw new RangeError('there are no flavours');
  const { flavour, salt } = turn;
  const serial = Math.floor(index / turns.length) * turn.sharers + turn.rank;
  const { starts, middles, ends } = flavour;
  const space = starts.length * middles.length * ends.length;
  const code = shuffled(plan.seed, salt, serial % space, space);
  const stem =
    (starts[code % starts.length] ?? '') +
    (middles[Math.floor(code / starts.length) % middles.length] ?? '') +
    (ends[Math.floor(code / (starts.length * middles.length))] ?? '');
  const name = [
    stem,
    ...descriptorOf(random, sector),
    ...distinction(Math.floor(serial / space)),
  ].join(' ');
  const label = domainLabel(name);
  if (home === null) return { name, label };
  const native = nativeBrands[home.country.culture];
  if (native !== undefined && random.chance(0.15)) return nativeBrand(native, random, label);
  const form = legalForms[home.country.name];
  if (form !== undefined && random.chance(0.04)) return { name: `${name} ${form}`, label };
  return { name, label };
}

/** The turns that flavours take, each with its rank among those of the same flavour. */
const turns = flavours.map((flavour, at) => {
  const shared = flavours.flatMap((other, place) => (other === flavour ? [place] : []));
  return { flavour, salt: shared[0] ?? 0, rank: shared.indexOf(at), sharers: shared.length };
});

/** Three of five go without one; half of the others say what the company makes. */
function descriptorOf(random: Random, sector: number): string[] {
  if (random.chance(0.6)) return [];
  return [random.pick(random.chance(0.5) ? descriptors : sectorAt(sector).descriptors)];
}

/** The first bearer of a stem needs none; each later one has its own. */
function distinction(bearer: number): string[] {
  if (bearer === 0) return [];
  const word = distinctions[(bearer - 1) % distinctions.length] ?? '';
  const turn = Math.floor((bearer - 1) / distinctions.length);
  return turn === 0 ? [word] : [word, `${turn + 1}`];
}

function nativeBrand(
  parts: readonly (readonly [string, string])[],
  random: Random,
  latinLabel: string,
): CompanyName {
  const [first, second] = [random.pick(parts), random.pick(parts)];
  return { name: first[0] + second[0], label: `${first[1]}${second[1]}-${latinLabel}` };
}

/** The name of a fund of a type (a member name of the list of investor types). Unique in a world. */
export function fundName(plan: WorldPlan, index: number, type: string): CompanyName {
  const random = new Random(plan.seed, streams.brand, index, 0xf);
  const space = fundStarts.length * fundSeconds.length;
  const code = shuffled(plan.seed, 0xf00d, index % space, space);
  const start = fundStarts[code % fundStarts.length] ?? '';
  const second = fundSeconds[Math.floor(code / fundStarts.length)] ?? '';
  const suffix = random.pick(fundSuffixes[type] ?? ['Fund']);
  const bearer = Math.floor(index / space);
  const name = `${start} ${second} ${suffix}${bearer === 0 ? '' : ` ${bearer + 1}`}`;
  const label = domainLabel(`${start} ${second}${bearer === 0 ? '' : ` ${bearer + 1}`}`);
  return { name, label: `${label}-${domainLabel(suffix)}` };
}

/** The name of a person from a culture. */
export function personName(random: Random, cultureName: string): PersonName {
  const culture = cultures[cultureName];
  if (culture === undefined) throw new RangeError(`no names of the culture "${cultureName}"`);
  const native = nativeNames[cultureName];
  if (native !== undefined && random.chance(0.06)) {
    const [first, last] = [random.pick(native.given), random.pick(native.family)];
    const name = eastAsian.has(cultureName) ? `${last}${first}` : `${first} ${last}`;
    return { name, first, last };
  }
  const first = random.pick(culture.given);
  const last = random.pick(culture.beginnings) + random.pick(culture.ends);
  return { name: `${first} ${last}`, first, last };
}

export const cultureNames: readonly string[] = Object.keys(cultures);

/** Cultures that write the family name first, without a space, in their own script. */
const eastAsian: ReadonlySet<string> = new Set(['japanese', 'chinese', 'korean']);

/** Letters that do not fall apart into a base letter and marks. */
const baseLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  å: 'a',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** A name as a label of a domain: lower case letters, digits and hyphens. */
export function domainLabel(name: string): string {
  const lower = name.toLowerCase();
  const plain = /^[ -~]*$/.test(lower) ? lower : withoutAccents(lower);
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function withoutAccents(lower: string): string {
  return lower
    .normalize('NFD')
    .replace(/[øæßłđı]/g, (letter) => baseLetters[letter] ?? '')
    .replace(/\p{M}/gu, '');
}

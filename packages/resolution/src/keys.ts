import type { Compiled } from './compile.ts';
import { hash32 } from './hash.ts';
import { distinctWords, type NameKey, rarityOf } from './names.ts';

/** Keys of a statement at most; each is one list that the statement is found in. */
export const KEYS_MAX = 40;

/** The keys whose holders within a source are counted: other companies may have them too. They are odd. */
export const nameCrowdKey = (compact: string): number => hash32(`n:${compact}`) | 1;
export const siteCrowdKey = (site: string): number => hash32(`s:${site}`) | 1;
export const isCrowdKey = (key: number): boolean => (key & 1) === 1;

/** The keys of a statement whose holders a comparison reads. */
export const crowdKeysOf = ({ names, sites }: Compiled): readonly number[] => [
  ...names.slice(0, 1).map(({ compact }) => nameCrowdKey(compact)),
  ...sites.map(siteCrowdKey),
];

const PREFIX = /^(?:get|try|use|join|go|my|the|with|we|hey|meet|hello)(?=.{4})/u;
const SUFFIX = /(?<=.{4})(?:app|hq|inc|labs|ai|io|online|group|ventures|capital|vc|corp|web)$/u;

/**
 * The keys under which a statement is looked for: two statements are compared if they share one
 * that few others have. Each kind of evidence has its own, so that no single fact must be present.
 */
export function keysOf(statement: Compiled): readonly number[] {
  const { sites, label, identifiers, names, cities, founded, total } = statement;
  const keys = new Set<number>();
  const addKey = (key: number): unknown => keys.size < KEYS_MAX && keys.add(key);
  const add = (text: string): unknown => addKey(hash32(text) & ~1);
  const addShort = (compact: string): unknown => addKey(nameCrowdKey(compact));
  for (const site of sites) addKey(siteCrowdKey(site));
  for (const identifier of identifiers.slice(0, 6)) add(`i:${identifier}`);
  const [city = ''] = cities;
  for (const name of names.slice(0, 6)) addName(name, { city, founded, add, addShort });
  for (const word of labelNames(label)) addShort(word);
  const [month = ''] = statement.rounds;
  if (total % 10_000 > 0) add(`t:${total}`);
  if (total > 0 && city !== '') add(`t:${total}|${city}`);
  for (const round of statement.rounds.filter(isExact).slice(0, 4)) {
    add(`r:${round}`);
    add(`r:${round}|${city}`);
  }
  if (statement.rounds.length > 1) add(`r:${month}&${statement.rounds.at(-1)}`);
  for (const person of statement.people.slice(0, 4)) if (person.includes(' ')) add(`p:${person}`);
  for (const pair of pairs(statement.links)) add(`l:${pair}`);
  if (statement.text.length >= 8) {
    add(`x:${least(statement.text, 1)}`);
    add(`x:${least(statement.text, 0x5bd1e995)}`);
  }
  return [...keys];
}

interface NameContext {
  readonly city: string;
  readonly founded: number;
  readonly add: (text: string) => unknown;
  readonly addShort: (compact: string) => unknown;
}

function addName({ compact, words }: NameKey, { city, founded, add, addShort }: NameContext) {
  addShort(compact);
  if (city !== '') add(`n:${compact}|${city}`);
  if (founded > 0) add(`n:${compact}|${founded}`);
  const distinct = distinctWords(words);
  addShort(distinct.join(''));
  if (distinct.length > 1) {
    addShort([...distinct].sort().join(''));
    const [rarest = ''] = [...distinct].sort(
      (a, b) => rarityOf([b]) - rarityOf([a]) || (a < b ? -1 : 1),
    );
    if (rarest.length > 3) addShort(rarest);
    if (city !== '' && distinct[0]) add(`c:${distinct[0]}|${city}`);
  } else if (city !== '' && compact.length > 4) add(`c:${compact.slice(0, 5)}|${city}`);
  if (compact.length > 6) {
    add(`b:${compact.slice(0, 6)}`);
    add(`e:${compact.slice(-6)}`);
  }
}

function labelNames(label: string): readonly string[] {
  if (label === '') return [];
  const without = label.replace(PREFIX, '');
  return [label, without, label.replace(SUFFIX, ''), without.replace(SUFFIX, '')];
}

/** Whether a round has an amount. */
const isExact = (round: string): boolean => !round.endsWith('|');

/** Pairs of the three names of the least hashes: two lists that share most share one of them. */
function pairs(names: readonly string[]): readonly string[] {
  const [a, b, c] = [...names].sort((one, other) => hash32(one) - hash32(other));
  if (a === undefined || b === undefined) return [];
  return c === undefined ? [`${a}&${b}`] : [`${a}&${b}`, `${a}&${c}`, `${b}&${c}`];
}

/** A mark of a set of words that two similar sets often share. */
function least(words: readonly number[], seed: number): string {
  const mixed = words.map((word) => Math.imul(word ^ seed, 0x9e3779b1) | 0);
  return mixed
    .sort((a, b) => a - b)
    .slice(0, 3)
    .join();
}

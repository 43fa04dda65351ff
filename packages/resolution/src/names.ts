import { foldName, nameForms } from '@vcds/name-search';
import { LIST_MAX } from './statement.ts';
import { wordShare } from './word-shares.ts';

/** A name as it is compared. */
export interface NameKey {
  /** The words without legal form, joined. */
  readonly compact: string;
  /** Words without legal form. */
  readonly words: readonly string[];
  /** The number of a fund or series at the end: `Fund II`; 0 for none. */
  readonly ordinal: number;
}

/** Words that say what a company does or is, not which one it is. */
const GENERAL = new Set(
  `the a an of and by for in at de la le group groupe holding holdings company companies corp
   ventures venture capital partners partner fund funds vc investments investment management
   technologies technology tech labs lab systems system solutions software services media networks
   network online digital global international interactive entertainment communications
   telecom pharmaceuticals pharma therapeutics medical health healthcare energy games studios studio
   industries enterprises sciences biosciences biotech bio com net io app hq corporation semiconductor
   semiconductors devices diagnostics materials security data web mobile inc ai`.split(/\s+/u),
);

/** Words that set apart the parts of one group apart: a place, or another kind of business. */
const APART = new Set(
  `foundation bank insurance europe asia africa america americas latam emea apac north south east west
   canada usa us uk india china japan germany france brasil brazil mexico australia israel russia korea
   singapore deutschland espana italia nordic nordics university institute`.split(/\s+/u),
);

const ROMAN: Readonly<Record<string, number>> = {
  ...{ ii: 2, iii: 3, iv: 4, v: 5, vi: 6, vii: 7, viii: 8, ix: 9, x: 10 },
  ...{ xi: 11, xii: 12, xiii: 13, xiv: 14, xv: 15, i: 1 },
};

/** Between two names of one company: `Danal d/b/a BilltoMobile`, `Leaders (formerly InnerSpace)`. */
const OTHER_NAME = [
  ...['formerly known as', 'formerly', 'previously known as', 'previously', 'also known as'],
  ...['trading as', 'fka', 'f/k/a', 'dba', 'd/b/a', 'aka', 'a/k/a', 'née'],
];

/** The names beside such words; the text alone if it has none. */
function besideWords(text: string): readonly string[] {
  const padded = ` ${text} `;
  const folded = padded.toLowerCase();
  for (const words of OTHER_NAME) {
    const at = folded.indexOf(` ${words} `);
    if (at >= 0) return [padded.slice(0, at), padded.slice(at + words.length + 2)];
  }
  return [text];
}

/** The names in a text that gives a company, with those that it adds in brackets. At most four. */
export function namesIn(text: string): readonly string[] {
  const cut = text.slice(0, LIST_MAX.nameLength);
  const names: string[] = [];
  const open = cut.indexOf('(');
  const close = cut.indexOf(')', open);
  const inside = open > 0 && close > open ? cut.slice(open + 1, close) : '';
  const outside = inside === '' ? cut : `${cut.slice(0, open)} ${cut.slice(close + 1)}`;
  names.push(...besideWords(outside));
  const added = besideWords(inside);
  if (added.length > 1) names.push(...added);
  return names
    .map((name) => name.trim())
    .filter(isName)
    .slice(0, 4);
}

function isName(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && !text.startsWith('#N');
}

/** The key of a name; null if it has neither letters nor digits. */
export function nameKey(text: string): NameKey | null {
  if (!isName(text)) return null;
  const { words, coreCount, compact } = nameForms(text.slice(0, LIST_MAX.nameLength));
  const core = words.slice(0, coreCount);
  if (core[0] === 'the' && core.length > 1) core.shift();
  const joined = core.join('');
  return {
    compact: joined === '' ? compact : joined,
    words: core.slice(0, 8),
    ordinal: ordinalOf(core),
  };
}

function ordinalOf(words: readonly string[]): number {
  for (const word of words.slice(1)) {
    const roman = ROMAN[word];
    if (roman !== undefined && (roman > 1 || word === words.at(-1))) return roman;
    if (/^\d{1,2}$/u.test(word)) return Number(word);
  }
  return 0;
}

/** The words that say which company it is; all words if none does. */
export function distinctWords(words: readonly string[]): readonly string[] {
  const distinct = words.filter((word) => !GENERAL.has(word));
  return distinct.length === 0 ? words : distinct;
}

export function isGeneralWord(word: string): boolean {
  return GENERAL.has(word);
}

/** Whether a word that only one of two names has makes it another part of a group. */
export function isPartWord(word: string): boolean {
  return APART.has(word);
}

/**
 * How far words identify a company: minus the logarithm of the share of names that chance gives
 * them, in nats. A short or an often used word is a name that others have too.
 */
export function rarityOf(words: readonly string[]): number {
  let rarity = 0;
  for (const word of words) rarity -= Math.log(wordShare(word));
  return Math.min(rarity, 40);
}

/** A name of a person, a company or a place that is compared as a whole. */
export function foldWhole(text: string): string {
  return foldName(text.slice(0, LIST_MAX.descriptionLength))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

import { legalForms } from './legal-forms.ts';

/** A name in the forms that are compared. */
export interface NameForms {
  /** Case, accents and compatibility forms folded, white space collapsed. */
  readonly folded: string;
  /** The words without a legal form at the end; with it, when there is nothing else. */
  readonly words: readonly string[];
  /** The legal form, or the empty string. */
  readonly legal: string;
  /** `words` written together; for a name made of signs only, its folded form. */
  readonly compact: string;
}

// Letters that no decomposition takes apart.
const plainLetters: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ŋ', 'n'],
]);
const plainLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'gu');

const LEGAL_PASSES = 2;

/** Folds case, accents and compatibility forms away and collapses white space. */
export function foldName(text: string): string {
  return text
    .replace(/[™®©]/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]|\p{Cf}|\p{Cc}/gu, (sign) => (/\s/u.test(sign) ? ' ' : ''))
    .normalize('NFC')
    .replace(plainLetter, (letter) => plainLetters.get(letter) ?? letter)
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The forms of a name or of a query for one. */
export function nameForms(text: string): NameForms {
  const folded = foldName(text);
  const written = folded.split(' ');
  const legal: string[] = [];
  while (written.length > 1 && legal.length < LEGAL_PASSES) {
    const last = (written.at(-1) ?? '').replace(/[.,()]/gu, '');
    if (!legalForms.has(last)) break;
    legal.unshift(last);
    written.pop();
  }
  const words = wordsOf(written.join(' '));
  const compact = words.join('');
  return { folded, words, legal: legal.join(' '), compact: compact === '' ? folded : compact };
}

// Apostrophes and the dots of an acronym join ("Moore's", "U.S."); every other sign parts words.
function wordsOf(folded: string): readonly string[] {
  return folded
    .replace(/['’ʼ`´]/gu, '')
    .replace(/(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu, (acronym) =>
      acronym.replaceAll('.', ''),
    )
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

import { looksLikeWebsite } from '@vcds/venture-model';
import { getPublicSuffix } from 'tldts';
import { LEGAL_FORMS } from './legal-forms.ts';

/** A name in the forms that are compared. */
export interface NameForms {
  /** As it was written. */
  readonly written: string;
  /** Case, accents and compatibility forms folded, white space collapsed. */
  readonly folded: string;
  /** All words; those from `coreCount` on only state a legal form or a domain's ending. */
  readonly words: readonly string[];
  readonly coreCount: number;
  /** The words up to there, written together; of a name made of signs, those. */
  readonly compact: string;
  /** All words written together. */
  readonly whole: string;
}

// Letters that no decomposition takes apart, and the one Cyrillic letter often written plain.
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
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
  ['ё', 'е'],
]);
const plainLetter = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'gu');

/** A legal form is at most two words: 'Pty Ltd'. */
const LEGAL_WORDS_MAX = 2;

/** Folds case, accents and compatibility forms away and collapses white space. */
export function foldName(text: string): string {
  return text
    .replace(/[™®©]/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu, '$1')
    .normalize('NFC')
    .replace(/\p{Cf}|(?!\s)\p{Cc}/gu, '')
    .replace(plainLetter, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The forms of a name or of a query for one. */
export function nameForms(text: string): NameForms {
  const folded = foldName(text);
  const spaced = folded.split(' ');
  let coreEnd = spaced.length;
  while (coreEnd > 1 && spaced.length - coreEnd < LEGAL_WORDS_MAX) {
    if (!LEGAL_FORMS.has((spaced[coreEnd - 1] ?? '').replace(/[.,()]/gu, ''))) break;
    coreEnd -= 1;
  }
  const core = wordsOf(spaced.slice(0, coreEnd).join(' '));
  const words = [...core, ...wordsOf(spaced.slice(coreEnd).join(' '))];
  const coreCount = core.length - suffixWords(spaced[coreEnd - 1] ?? '');
  const whole = words.join('');
  const compact = core.slice(0, coreCount).join('');
  return {
    written: text,
    folded,
    words,
    coreCount: compact === '' ? words.length : coreCount,
    compact: compact || whole || folded,
    whole: whole || folded,
  };
}

// A name that is a domain ends in a public suffix, which tells as little as a legal form.
function suffixWords(lastWord: string): number {
  if (!looksLikeWebsite(lastWord)) return 0;
  return getPublicSuffix(lastWord)?.split('.').length ?? 0;
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

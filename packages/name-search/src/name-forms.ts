import { looksLikeWebsite } from '@vcds/venture-model';
import { getPublicSuffix } from 'tldts';
import { withoutLegalPhrases } from './legal-phrases.ts';

/** The normalized forms of a name, for comparison. */
export interface NameForms {
  /** As written. */
  readonly written: string;
  /** Case, accents and compatibility forms folded, white space collapsed. */
  readonly folded: string;
  /** All words; those from `coreCount` on are a legal form or a public suffix. */
  readonly words: readonly string[];
  readonly coreCount: number;
  /** The first `coreCount` words without spaces; for a name without letters, its signs. */
  readonly compact: string;
  /** All words without spaces. */
  readonly whole: string;
}

/**
 * Legal forms of companies, folded, without dots. A test compares the list with the one of the
 * function `venture.name_compact`.
 */
export const LEGAL_FORMS: ReadonlySet<string> = new Set([
  // English
  ...['inc', 'incorporated', 'corp', 'corporation', 'co', 'company', 'llc', 'llp', 'lp', 'ltd'],
  ...['limited', 'plc', 'pty', 'pte', 'pvt'],
  // German
  ...['gmbh', 'mbh', 'ag', 'kg', 'kgaa', 'ug', 'se', 'eg'],
  // French, Italian, Spanish, Portuguese
  ...['sa', 'sas', 'sasu', 'sarl', 'srl', 'spa', 'sl', 'slu', 'ltda'],
  // Dutch, Finnish, Swedish, Norwegian, Danish
  ...['bv', 'nv', 'oy', 'oyj', 'ab', 'asa', 'as', 'a/s', 'aps'],
  // Japanese, Malay, Czech, Croatian and Serbian, Hungarian, Russian
  ...['kk', 'bhd', 'sdn', 'sro', 'doo', 'kft', 'zrt', 'ooo'],
]);

// Letters without a Unicode decomposition, the one Cyrillic letter often written plain, and the sigma at the end
// of a word.
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
  ['ς', 'σ'],
]);
const plainLetter = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'gu');

/** `WandW`, `AundB`: an ampersand as a word without blanks, between capitals. */
const GLUED_AND = /(?<![\p{L}\p{N}])(\p{Lu}{1,3})(?:and|und)(\p{Lu}{1,3})(?![\p{L}\p{N}])/gu;

/** A legal form is at most two words: 'Pty Ltd'. */
const LEGAL_WORDS_MAX = 2;

/** Most names consist of these: for them the steps below have no effect. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const PLAIN_WORDS = /^[a-z0-9 ]*$/;

/** Separators of words; the vowel signs of scripts from Devanagari to Myanmar, and of Khmer, are none. */
const SEPARATORS = /[^\p{L}\p{N}\u0900-\u109f\u1780-\u17ff]+/u;

/** Folds case, accents and compatibility forms away and collapses white space. */
export function foldName(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
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

/** The forms of a name, or of a query for a name. */
export function nameForms(text: string): NameForms {
  const folded = foldName(text);
  const joined = text.replace(GLUED_AND, '$1&$2');
  const [named, forms] = withoutLegalPhrases(joined === text ? folded : foldName(joined));
  // A legal form may follow a comma without a blank.
  const spaced = named.replace(/,(?! )/gu, ', ').split(' ');
  let coreEnd = spaced.length;
  while (coreEnd > 1 && spaced.length - coreEnd < LEGAL_WORDS_MAX) {
    if (!LEGAL_FORMS.has((spaced[coreEnd - 1] ?? '').replace(/[.,()]/gu, ''))) break;
    coreEnd -= 1;
  }
  const core = wordsOf(spaced.slice(0, coreEnd).join(' '));
  const words = [...core, ...wordsOf(spaced.slice(coreEnd).join(' ')), ...wordsOf(forms)];
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

// A name that is a domain ends in a public suffix, which has as little weight as a legal form.
function suffixWords(lastWord: string): number {
  if (!looksLikeWebsite(lastWord)) return 0;
  return getPublicSuffix(lastWord)?.split('.').length ?? 0;
}

// Apostrophes and the dots of an acronym join ("Moore's", "U.S."); every other sign separates words.
function wordsOf(folded: string): readonly string[] {
  if (PLAIN_WORDS.test(folded)) return folded.split(' ').filter((word) => word !== '');
  return folded
    .replace(/['’ʼ`´]/gu, '')
    .replace(/(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu, (acronym) =>
      acronym.replaceAll('.', ''),
    )
    .split(SEPARATORS)
    .filter((word) => word !== '');
}

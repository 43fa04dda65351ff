import { NAMES_COUNTED, WORD_CLASSES } from './word-classes.ts';

const WORDS = new Map(
  WORD_CLASSES.flatMap(([count, words]) =>
    words.split(/\s+/u).map((word): [string, number] => [word, count / NAMES_COUNTED]),
  ),
);
/** The share of an uncounted word of five letters; each letter more makes a repeat rarer. */
const RARE = 1.2 / NAMES_COUNTED;
const LETTER = 0.55;

/** The share of names that have a word: counted, or estimated by its length. */
export function wordShare(word: string): number {
  const counted = WORDS.get(word);
  if (counted !== undefined) return counted;
  const letters = word.length;
  return Math.max(RARE * LETTER ** (letters - 5), 1e-9);
}

import { editDistance } from '@vcds/odata-query';

/**
 * The weight of a word of a name. Most names of funds end in one of a few words, which do not
 * distinguish them. Every other word has weight 1.
 */
const WEIGHT_ROWS: readonly (readonly [weight: number, words: string])[] = [
  [0.1, 'the of and by a an de la le el di der die das for in at'],
  [
    0.3,
    `ventures venture capital partners partner fund funds vc group investments investment
     management holdings holding investors investor`,
  ],
  [
    0.5,
    `angels angel network equity growth innovation innovations global technology technologies tech
     digital labs lab seed accelerator invest asset assets advisors associates international
     company companies corporation systems solutions software services media networks online
     studio studios industries enterprises private finance financial business foundation club
     center centre office family research sciences interactive entertainment communications
     pharmaceuticals therapeutics medical health energy com net io`,
  ],
];

const weights: ReadonlyMap<string, number> = new Map(
  WEIGHT_ROWS.flatMap(([weight, words]) =>
    words
      .trim()
      .split(/\s+/u)
      .map((word): [string, number] => [word, weight]),
  ),
);

/** Shorter words are one typo away from too many. */
const TYPO_LENGTH_MIN = 5;

/** The weights of words with zero, one and two letters, which are ambiguous. */
const SHORT_WEIGHTS = [0, 0.6, 0.8] as const;

/** The weight of a word of a legal form. */
export const LEGAL_WEIGHT = 0.1;

/** The weight of a folded word, from 0 to 1. */
export function wordWeight(word: string): number {
  return weights.get(word) ?? SHORT_WEIGHTS[word.length] ?? 1;
}

/** The weight of a folded word that may be mistyped: a typo of a general word is as general. */
export function weightDespiteTypo(word: string): number {
  const weight = wordWeight(word);
  if (weight < 1 || word.length < TYPO_LENGTH_MIN) return weight;
  for (const [general, less] of weights) {
    if (editDistance(word, general, 1) <= 1) return less;
  }
  return weight;
}

/** Whether a word occurs in so many names that a lookup by it would find too many. */
export function isGeneral(word: string): boolean {
  return weights.has(word);
}

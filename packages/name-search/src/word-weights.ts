import { editDistance } from '@vcds/odata-query';

/** Weights of words that are general in every set of names, even one too small to count them. */
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

const GENERAL_WEIGHTS: ReadonlyMap<string, number> = new Map(
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

/** A word that at most this share of the names have has weight 1. */
const DISTINCTIVE_SHARE = 0.0002;

/** Words of a larger share of the names are frequent. */
const FREQUENT_SHARE = 0.002;

/** The weight of a word of a legal form. */
export const LEGAL_WEIGHT = 0.1;

/** The share of names, 0 to 1, that have a word. */
export interface WordShare {
  readonly word: string;
  readonly share: number;
}

/**
 * How far a word identifies a company: the inverse document frequency of the words that many names
 * have, scaled to 1 for a rare word, and at most the weight of a built-in list.
 */
export class WordWeights {
  readonly #general: ReadonlyMap<string, number>;
  readonly #frequent: ReadonlySet<string>;

  /** @param frequent the words that many names have; a word that is not in it is rare. */
  constructor(frequent: readonly WordShare[] = []) {
    const general = new Map(GENERAL_WEIGHTS);
    for (const { word, share } of frequent) {
      const weight = Math.log(share) / Math.log(DISTINCTIVE_SHARE);
      if (weight < 1) general.set(word, Math.min(weight, general.get(word) ?? 1));
    }
    this.#general = general;
    this.#frequent = new Set(
      frequent.flatMap(({ word, share }) => (share > FREQUENT_SHARE ? [word] : [])),
    );
  }

  /** The weight of a folded word, from 0 to 1. */
  of(word: string): number {
    return Math.min(this.#general.get(word) ?? 1, SHORT_WEIGHTS[word.length] ?? 1);
  }

  /** The weight of a folded word that may be mistyped: a typo of a general word is as general. */
  despiteTypo(word: string): number {
    const weight = this.of(word);
    if (weight < 1 || word.length < TYPO_LENGTH_MIN) return weight;
    let least = weight;
    for (const [general, less] of this.#general) {
      if (less < least && editDistance(word, general, 1) <= 1) least = less;
    }
    return least;
  }

  /** Whether the list of the names with a word is too long to choose from. */
  isFrequent(word: string): boolean {
    return this.#frequent.has(word);
  }

  /** Whether a word occurs in so many names that a lookup by it would find too many. */
  isGeneral(word: string): boolean {
    return this.#general.has(word);
  }
}

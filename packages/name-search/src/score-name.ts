import { editDistance } from '@vcds/odata-query';
import { alignWords, type WeighedWords } from './align-words.ts';
import type { NameForms } from './name-forms.ts';
import { LEGAL_WEIGHT, type WordWeights } from './word-weights.ts';

// Scores of names that differ only in signs, legal form or spaces.
const SAME_WORDS = 0.99;
const SAME_BUT_LEGAL_FORM = 0.98;
const SAME_LETTERS = 0.97;
/** The upper bound of the score of a different name. */
const SIMILAR_MAX = 0.97;

/** The last of several words often describes the company: 'Adamas Pharmaceuticals'. */
const LAST_WORD_FACTOR = 0.75;
/** Subtracted from the score of a prefix with spaces in other places. */
const OTHER_SPACES = 0.02;

/**
 * The similarity of two names: 1 for the same name, 0 for nothing in common. It is the maximum of
 * three scores: common words, typos, and a prefix.
 */
export function scoreName(query: NameForms, name: NameForms, weights: WordWeights): number {
  if (query.folded === name.folded) return 1;
  if (query.whole === name.whole) {
    return query.words.join(' ') === name.words.join(' ') ? SAME_WORDS : SAME_LETTERS;
  }
  if (query.compact === name.compact) {
    const sameWords = coreOf(query) === coreOf(name);
    return sameWords ? SAME_BUT_LEGAL_FORM : SAME_LETTERS;
  }
  if (query.whole === name.compact || query.compact === name.whole) return SAME_LETTERS;
  const best = Math.max(
    wordsScore(query, name, weights),
    lettersScore(query, name),
    prefixScore(query, name),
  );
  return Math.max(best * SIMILAR_MAX, 0);
}

function coreOf({ words, coreCount }: NameForms): string {
  return words.slice(0, coreCount).join(' ');
}

function wordsScore(query: NameForms, name: NameForms, weights: WordWeights): number {
  const lastFactor = query.coreCount > 1 && name.coreCount > 1 ? LAST_WORD_FACTOR : 1;
  const { queryShare, nameShare, inOrder } = alignWords(
    weighed(query, weights, lastFactor),
    weighed(name, weights, lastFactor),
  );
  const bothPartial = 1 - (1 - queryShare) * (1 - nameShare);
  return queryShare ** 0.8 * nameShare ** 0.2 * bothPartial - (inOrder ? 0 : 0.02);
}

function weighed(
  { words, coreCount }: NameForms,
  weights: WordWeights,
  lastFactor: number,
): WeighedWords {
  return {
    words,
    weights: words.map((word, index) => {
      if (index >= coreCount) return LEGAL_WEIGHT;
      return weights.of(word) * (index + 1 === coreCount ? lastFactor : 1);
    }),
  };
}

function lettersScore(query: NameForms, name: NameForms): number {
  if (query.coreCount === name.coreCount) return 0;
  const length = Math.max(query.compact.length, name.compact.length);
  const bound = length < 4 ? 0 : length < 10 ? 1 : 2;
  const edits = editDistance(query.compact, name.compact, bound);
  if (edits > bound) return 0;
  return SAME_LETTERS - (edits === 1 ? 1.2 : 2.6) / length;
}

function prefixScore(query: NameForms, name: NameForms): number {
  const { length } = query.whole;
  if (length < 2 || !name.whole.startsWith(query.whole)) return 0;
  const spaced = name.words.join(' ').startsWith(query.words.join(' '));
  const rest = 0.2 * (1 - length / name.whole.length);
  return 0.98 - rest - 0.2 / length - (spaced ? 0 : OTHER_SPACES);
}

import { editDistance } from '@vcds/odata-query';
import { alignWords, type WeighedWords } from './align-words.ts';
import type { NameForms } from './name-forms.ts';
import { LEGAL_WEIGHT, wordWeight } from './word-weights.ts';

// Scores of names that differ only in signs, legal form or spaces.
const SAME_WORDS = 0.99;
const SAME_BUT_LEGAL_FORM = 0.98;
const SAME_LETTERS = 0.97;
/** The upper bound of the score of a different name. */
const SIMILAR_MAX = 0.97;

/**
 * The similarity of two names: 1 for the same name, 0 for nothing in common. It is the maximum of
 * three scores: common words, typos, and a prefix.
 */
export function scoreName(query: NameForms, name: NameForms): number {
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
    wordsScore(query, name),
    lettersScore(query, name),
    prefixScore(query, name),
  );
  return Math.max(best * SIMILAR_MAX, 0);
}

function coreOf({ words, coreCount }: NameForms): string {
  return words.slice(0, coreCount).join(' ');
}

function wordsScore(query: NameForms, name: NameForms): number {
  const { queryShare, nameShare, inOrder } = alignWords(weighed(query), weighed(name));
  const bothPartial = 1 - (1 - queryShare) * (1 - nameShare);
  return queryShare ** 0.8 * nameShare ** 0.2 * bothPartial - (inOrder ? 0 : 0.02);
}

function weighed({ words, coreCount }: NameForms): WeighedWords {
  return {
    words,
    weights: words.map((word, index) => (index < coreCount ? wordWeight(word) : LEGAL_WEIGHT)),
  };
}

function lettersScore(query: NameForms, name: NameForms): number {
  if (query.coreCount === name.coreCount) return 0;
  const length = Math.max(query.compact.length, name.compact.length);
  const bound = length < 3 ? 0 : length < 10 ? 1 : 2;
  const edits = editDistance(query.compact, name.compact, bound);
  if (edits > bound) return 0;
  return SAME_LETTERS - (edits === 1 ? 1.2 : 2.6) / length;
}

function prefixScore(query: NameForms, name: NameForms): number {
  const { length } = query.whole;
  if (length < 2 || !name.whole.startsWith(query.whole)) return 0;
  return 0.98 - 0.2 * (1 - length / name.whole.length) - 0.2 / length;
}

import { alignWords } from './align-words.ts';
import { editDistance } from './edit-distance.ts';
import type { NameForms } from './name-forms.ts';

// Scores of names that differ in signs, legal form or spaces only.
const SAME_WORDS = 0.99;
const SAME_BUT_LEGAL_FORM = 0.98;
const SAME_LETTERS = 0.97;
/** Anything less alike stays below. */
const ALIKE_MAX = 0.96;

/**
 * How surely a record of this name is the one meant: 1 for the same name, 0 for nothing in common.
 * The best of three explanations: the words of one found in the other, the letters mistyped, the
 * name not written to its end.
 */
export function scoreName(query: NameForms, name: NameForms): number {
  if (query.folded === name.folded) return 1;
  if (query.compact === name.compact) {
    const sameWords = query.words.join(' ') === name.words.join(' ');
    if (!sameWords) return SAME_LETTERS;
    return query.legal === name.legal ? SAME_WORDS : SAME_BUT_LEGAL_FORM;
  }
  const best = Math.max(
    wordsScore(query, name),
    lettersScore(query, name),
    beginScore(query, name),
  );
  return Math.min(best, ALIKE_MAX);
}

function wordsScore(query: NameForms, name: NameForms): number {
  const { queryShare, nameShare, inOrder } = alignWords(query.words, name.words);
  return queryShare ** 1.2 * nameShare ** 0.3 - (inOrder ? 0 : 0.02);
}

function lettersScore(query: NameForms, name: NameForms): number {
  const length = Math.max(query.compact.length, name.compact.length);
  const bound = length < 3 ? 0 : length < 10 ? 1 : 2;
  const edits = editDistance(query.compact, name.compact, bound);
  if (edits > bound) return 0;
  return SAME_LETTERS - (edits === 1 ? 0.9 : 2.6) / length;
}

function beginScore(query: NameForms, name: NameForms): number {
  const { length } = query.compact;
  if (length < 2 || !name.compact.startsWith(query.compact)) return 0;
  return 0.6 + (0.35 * length) / name.compact.length;
}

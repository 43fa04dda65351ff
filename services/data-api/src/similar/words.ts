import type { Facts } from './score.ts';
import type { StoredFacts } from './sql.ts';

/** The next word of a document with its positions, as PostgreSQL writes them: `'invoic':3,7`. */
const ENTRY = / ?'((?:[^']|'')*)':([\d,]+)/gy;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * The facts with the words of the description. Those of the name and the tags are left out: positions of a document
 * begin with them, and tags are compared by themselves.
 */
export function withWords({ name, document, ...facts }: StoredFacts): Facts {
  const before = [name, ...facts.tags].join(' ').match(WORD)?.length ?? 0;
  const words: string[] = [];
  for (const [, word = '', positions = ''] of document.matchAll(ENTRY)) {
    if (Number(positions.slice(positions.lastIndexOf(',') + 1)) > before) words.push(word);
  }
  return { ...facts, words };
}

import type { Facts } from './score.ts';
import type { StoredFacts } from './sql.ts';

/** The next word of a document with its positions, as PostgreSQL writes them: `'invoic':3,7`. */
const ENTRY = / ?'((?:[^']|'')*)':([\d,]+)/gy;
const WORD = /[\p{L}\p{N}]+/gu;
/** Years and other figures say nothing of a business. */
const NUMBER = /^\p{N}+$/u;
/** The most letters that a stem leaves out. */
const ENDING_MAX = 2;

/**
 * The facts with the words of the description, and those of name and tags (positions of a document begin
 * with them) and of its places.
 */
export function withWords({ name, document, ...facts }: StoredFacts): Facts {
  const before = [name, ...facts.tags].join(' ').match(WORD)?.length ?? 0;
  const places = [...facts.cities, ...facts.regions, ...facts.countries].map(folded).join(' ');
  const placeWords = places.match(WORD) ?? [];
  const isOfPlace = (stem: string) =>
    placeWords.some((word) => word.startsWith(stem) && word.length - stem.length <= ENDING_MAX);
  const [words, labels]: [string[], string[]] = [[], []];
  for (const [, word = '', positions = ''] of document.matchAll(ENTRY)) {
    if (NUMBER.test(word)) continue;
    if (Number(positions.slice(positions.lastIndexOf(',') + 1)) > before) words.push(word);
    if (Number.parseInt(positions, 10) <= before || isOfPlace(word)) labels.push(word);
  }
  return { ...facts, words, labels };
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

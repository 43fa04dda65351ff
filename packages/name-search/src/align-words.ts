import { editDistance } from '@vcds/odata-query';

/** The words of a name, each with its weight: how far it identifies the company. */
export interface WeighedWords {
  readonly words: readonly string[];
  readonly weights: readonly number[];
}

/** The weighted shares of two names that occur in each other. */
export interface Alignment {
  /** Share of the query's weight that matches the name, 0 to 1. */
  readonly queryShare: number;
  /** Share of the name's weight that matches the query, 0 to 1. */
  readonly nameShare: number;
  /** Whether the matched words follow each other in the same order. */
  readonly inOrder: boolean;
}

/** A match between words of the query and words of the name. */
interface Link {
  readonly from: number;
  readonly fromCount: number;
  readonly to: number;
  readonly toCount: number;
  /** 0 to 1. */
  readonly similarity: number;
  readonly weight: number;
  readonly gain: number;
}

const WORDS_MAX = 12;
const JOINED_SIMILARITY = 0.97;
/** The similarity of an unfinished word at a prefix of length 0. */
const PREFIX_SIMILARITY = 0.6;

/**
 * Matches words of the query with words of the name, each at most once, highest weight first. A
 * match has the smaller weight of its two sides: 'Venturs' is as general as 'Ventures'.
 */
export function alignWords(query: WeighedWords, name: WeighedWords): Alignment {
  const taken = selectLinks(linksBetween(query, name));
  let matched = 0;
  let linked = 0;
  let queryRest = weightOf(query, 0, query.words.length);
  let nameRest = weightOf(name, 0, name.words.length);
  for (const link of taken) {
    matched += link.similarity * link.weight;
    linked += link.weight;
    queryRest -= weightOf(query, link.from, link.fromCount);
    nameRest -= weightOf(name, link.to, link.toCount);
  }
  return {
    queryShare: share(matched, linked + queryRest),
    nameShare: share(matched, linked + nameRest),
    inOrder: taken
      .toSorted((a, b) => a.from - b.from)
      .every((link, index, all) => index === 0 || (all[index - 1]?.to ?? 0) < link.to),
  };
}

function linksBetween(query: WeighedWords, name: WeighedWords): Link[] {
  const fromEnd = Math.min(query.words.length, WORDS_MAX);
  const toEnd = Math.min(name.words.length, WORDS_MAX);
  const links: Link[] = [];
  const add = (i: number, fromCount: number, j: number, toCount: number, similarity: number) => {
    const weight = Math.min(weightOf(query, i, fromCount), weightOf(name, j, toCount));
    const gain = similarity ** 2 * weight;
    links.push({ from: i, fromCount, to: j, toCount, similarity, weight, gain });
  };
  for (let i = 0; i < fromEnd; i += 1) {
    const a = query.words[i] ?? '';
    const isLast = i + 1 === query.words.length;
    const afterA = i + 1 < fromEnd ? query.words[i + 1] : undefined;
    for (let j = 0; j < toEnd; j += 1) {
      const b = name.words[j] ?? '';
      const afterB = j + 1 < toEnd ? name.words[j + 1] : undefined;
      const similarity = wordSimilarity(a, b, isLast);
      if (similarity > 0) add(i, 1, j, 1, similarity);
      if (isJoined(a, afterA, b)) add(i, 2, j, 1, JOINED_SIMILARITY);
      if (isJoined(b, afterB, a)) add(i, 1, j, 2, JOINED_SIMILARITY);
    }
  }
  return links;
}

// Compares without a concatenation: this runs for each pair of words of each candidate.
function isJoined(first: string, second: string | undefined, joined: string): boolean {
  return (
    second !== undefined &&
    first.length + second.length === joined.length &&
    joined.startsWith(first) &&
    joined.endsWith(second)
  );
}

function selectLinks(links: readonly Link[]): Link[] {
  const taken: Link[] = [];
  for (const link of links.toSorted((a, b) => b.gain - a.gain)) {
    const free = taken.every(
      (other) =>
        (link.from + link.fromCount <= other.from || other.from + other.fromCount <= link.from) &&
        (link.to + link.toCount <= other.to || other.to + other.toCount <= link.to),
    );
    if (free) taken.push(link);
  }
  return taken;
}

/** The similarity of two words, 0 to 1; the last word of a query may be unfinished. */
export function wordSimilarity(a: string, b: string, unfinished: boolean): number {
  if (a === b) return 1;
  const length = Math.max(a.length, b.length);
  const bound = length < 2 ? 0 : length < 9 ? 1 : 2;
  const isNear = bound > 0 && Math.abs(a.length - b.length) <= bound;
  const edits = isNear ? editDistance(a, b, bound) : bound + 1;
  const typed = edits > bound ? 0 : 1 - edits / length;
  if (!unfinished || !b.startsWith(a)) return typed;
  return Math.max(typed, PREFIX_SIMILARITY + ((1 - PREFIX_SIMILARITY) * a.length) / b.length);
}

function weightOf({ weights }: WeighedWords, start: number, count: number): number {
  let weight = 0;
  for (let i = start; i < start + count; i += 1) weight += weights[i] ?? 0;
  return weight;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(part / whole, 1);
}

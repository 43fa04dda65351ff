import { editDistance } from './edit-distance.ts';
import { wordWeight } from './word-weights.ts';

/** How much of each of two names is found in the other, weighed by what its words tell. */
export interface Alignment {
  /** Share of the query's weight that the name answers, 0 to 1. */
  readonly queryShare: number;
  /** Share of the name's weight that the query asked for, 0 to 1. */
  readonly nameShare: number;
  /** Whether the matched words follow each other in the same order. */
  readonly inOrder: boolean;
}

/** A run of words of either side taken for each other. */
interface Link {
  readonly from: number;
  readonly fromCount: number;
  readonly to: number;
  readonly toCount: number;
  readonly alike: number;
  readonly gain: number;
}

const WORDS_MAX = 12;
const JOINED_ALIKE = 0.97;

/** Takes words of the query for words of the name, each at most once, most telling first. */
export function alignWords(query: readonly string[], name: readonly string[]): Alignment {
  const from = query.slice(0, WORDS_MAX);
  const to = name.slice(0, WORDS_MAX);
  const taken = take(linksBetween(from, to));
  let found = 0;
  let asked = 0;
  for (const link of taken) {
    found += link.alike * weightOf(from, link.from, link.fromCount);
    asked += link.alike * weightOf(to, link.to, link.toCount);
  }
  return {
    queryShare: share(found, weightOf(query, 0, query.length)),
    nameShare: share(asked, weightOf(name, 0, name.length)),
    inOrder: taken
      .toSorted((a, b) => a.from - b.from)
      .every((link, index, all) => index === 0 || (all[index - 1]?.to ?? 0) < link.to),
  };
}

function linksBetween(from: readonly string[], to: readonly string[]): Link[] {
  const links: Link[] = [];
  const add = (i: number, fromCount: number, j: number, toCount: number) => {
    const a = from.slice(i, i + fromCount).join('');
    const b = to.slice(j, j + toCount).join('');
    const last = i + fromCount === from.length;
    const alike = wordsAlike(a, b, last) * (fromCount + toCount === 2 ? 1 : JOINED_ALIKE);
    if (alike === 0) return;
    const gain = alike * (weightOf(from, i, fromCount) + weightOf(to, j, toCount));
    links.push({ from: i, fromCount, to: j, toCount, alike, gain });
  };
  for (let i = 0; i < from.length; i += 1) {
    for (let j = 0; j < to.length; j += 1) {
      add(i, 1, j, 1);
      if (i + 1 < from.length) add(i, 2, j, 1);
      if (j + 1 < to.length) add(i, 1, j, 2);
    }
  }
  return links;
}

function take(links: readonly Link[]): Link[] {
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

/** How alike two words are, 0 to 1; the last word of a query may be unfinished. */
function wordsAlike(a: string, b: string, unfinished: boolean): number {
  if (a === b) return 1;
  const length = Math.max(a.length, b.length);
  const bound = length < 3 ? 0 : length < 9 ? 1 : 2;
  const edits = editDistance(a, b, bound);
  const typed = edits > bound ? 0 : 1 - (edits * 0.8) / length;
  const begun =
    unfinished && a.length >= 2 && b.startsWith(a) ? 0.6 + (0.4 * a.length) / b.length : 0;
  return Math.max(typed, begun);
}

function weightOf(words: readonly string[], start: number, count: number): number {
  let weight = 0;
  for (let i = start; i < start + count; i += 1) weight += wordWeight(words[i] ?? '');
  return weight;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(part / whole, 1);
}

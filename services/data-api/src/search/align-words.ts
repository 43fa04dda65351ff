import { editDistance } from '@vcds/odata-query';

/** Words with what each of them tells about whom the name means. */
export interface WeighedWords {
  readonly words: readonly string[];
  readonly weights: readonly number[];
}

/** How much of each of two names is found in the other, weighed by what its words tell. */
export interface Alignment {
  /** Share of the query's weight that the name answers, 0 to 1. */
  readonly queryShare: number;
  /** Share of the name's weight that the query asked for, 0 to 1. */
  readonly nameShare: number;
  /** Whether the matched words follow each other in the same order. */
  readonly inOrder: boolean;
}

/** A run of words of one side taken for a run of the other's. */
interface Link {
  readonly from: number;
  readonly fromCount: number;
  readonly to: number;
  readonly toCount: number;
  /** 0 to 1. */
  readonly alike: number;
  readonly weight: number;
  readonly gain: number;
}

const WORDS_MAX = 12;
const JOINED_ALIKE = 0.97;
/** A word that was only begun is this much alike when nothing of it is there. */
const BEGUN_ALIKE = 0.6;

/**
 * Takes words of the query for words of the name, each at most once, most telling first. Words
 * taken for each other weigh what the less telling one does: 'Venturs' is as general as 'Ventures'.
 */
export function alignWords(query: WeighedWords, name: WeighedWords): Alignment {
  const taken = take(linksBetween(query, name));
  let alike = 0;
  let linked = 0;
  let queryRest = weightOf(query, 0, query.words.length);
  let nameRest = weightOf(name, 0, name.words.length);
  for (const link of taken) {
    alike += link.alike * link.weight;
    linked += link.weight;
    queryRest -= weightOf(query, link.from, link.fromCount);
    nameRest -= weightOf(name, link.to, link.toCount);
  }
  return {
    queryShare: share(alike, linked + queryRest),
    nameShare: share(alike, linked + nameRest),
    inOrder: taken
      .toSorted((a, b) => a.from - b.from)
      .every((link, index, all) => index === 0 || (all[index - 1]?.to ?? 0) < link.to),
  };
}

function linksBetween(query: WeighedWords, name: WeighedWords): Link[] {
  const from = query.words.slice(0, WORDS_MAX);
  const to = name.words.slice(0, WORDS_MAX);
  const links: Link[] = [];
  const add = (i: number, fromCount: number, j: number, toCount: number) => {
    const a = from.slice(i, i + fromCount).join('');
    const b = to.slice(j, j + toCount).join('');
    const joined = fromCount + toCount > 2;
    const last = i + 1 === query.words.length;
    const alike = joined ? (a === b ? JOINED_ALIKE : 0) : wordsAlike(a, b, last);
    if (alike === 0) return;
    const weight = Math.min(weightOf(query, i, fromCount), weightOf(name, j, toCount));
    links.push({ from: i, fromCount, to: j, toCount, alike, weight, gain: alike ** 2 * weight });
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
  const bound = length < 2 ? 0 : length < 9 ? 1 : 2;
  const edits = editDistance(a, b, bound);
  const typed = edits > bound ? 0 : 1 - edits / length;
  if (!unfinished || !b.startsWith(a)) return typed;
  return Math.max(typed, BEGUN_ALIKE + ((1 - BEGUN_ALIKE) * a.length) / b.length);
}

function weightOf({ weights }: WeighedWords, start: number, count: number): number {
  let weight = 0;
  for (let i = start; i < start + count; i += 1) weight += weights[i] ?? 0;
  return weight;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(part / whole, 1);
}

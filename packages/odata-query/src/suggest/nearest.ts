/** A shorter text is contained in too many names to be evidence. */
const CONTAINED_MIN = 3;

const WORD_START = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|[\s_.\-–/]+/u;

/**
 * The name a caller most likely meant: the one with the fewest typing mistakes (a letter wrong,
 * missing, added, or two swapped), at most one in three letters and never more than three;
 * else the shortest in which one of the words begins with what was written, unless names that do
 * not contain each other do. A whole word is no beginning of another name (`investor` of
 * `investor_type`). Case, accents, spaces, hyphens, dots and underscores are ignored.
 * Undefined where nothing is near, or two names are equally near.
 *
 * Takes O(names × 64²) steps at most.
 */
export function nearest(wanted: string, names: Iterable<string>): string | undefined {
  if (wanted.length > MEANT_LENGTH_MAX) return undefined;
  const folded = foldedName(wanted);
  if (folded.length === 0 || folded.length > MEANT_LENGTH_MAX) return undefined;
  const mistakesMax = Math.min(3, Math.max(1, Math.floor(folded.length / 3)));
  let best: string | undefined;
  let isTied = false;
  let bestMistakes = mistakesMax + 1;
  const containers: string[] = [];
  for (const name of names) {
    const candidate = foldedName(name);
    const mistakes = editDistance(folded, candidate, bestMistakes);
    if (mistakes === 0) return name;
    if (mistakes <= bestMistakes && mistakes <= mistakesMax && mistakes < folded.length) {
      const isEqual = mistakes === bestMistakes;
      isTied = isEqual && (isTied || candidate !== foldedName(best ?? ''));
      if (!isEqual) best = name;
      bestMistakes = mistakes;
    }
    if (name.toLowerCase().startsWith(`${wanted.toLowerCase()}_`)) continue;
    if (folded.length >= CONTAINED_MIN && hasWordLike(name, folded)) containers.push(name);
  }
  if (isTied) return undefined;
  return best ?? onlyFamily(containers);
}

function hasWordLike(name: string, folded: string): boolean {
  const words = name.split(WORD_START).map(foldedName);
  return words.some((_, first) => words.slice(first).join('').startsWith(folded));
}

// `MembersCount` of `MembersCountBucket` and itself; none of `RoundsCount` and `MembersCount`.
function onlyFamily(names: readonly string[]): string | undefined {
  const [shortest, ...others] = names.toSorted((a, b) => a.length - b.length);
  if (shortest === undefined) return undefined;
  return others.every((other) => foldedName(other).includes(foldedName(shortest)))
    ? shortest
    : undefined;
}

const rows = [new Uint8Array(512), new Uint8Array(512), new Uint8Array(512)] as const;
const LENGTH_MAX = 500;

/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other
 * (optimal string alignment), in UTF-16 units; `bound + 1` when there are more than `bound`. Takes
 * O(length × bound) steps.
 *
 * @param bound at most 200.
 */
export function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) return bound + 1;
  if (a.length > LENGTH_MAX || b.length > LENGTH_MAX) return bound + 1;
  let start = 0;
  let [endA, endB] = [a.length, b.length];
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  if (endA === start || endB === start) return Math.max(endA, endB) - start;
  return distanceBetween(a.slice(start, endA), b.slice(start, endB), bound);
}

// Only cells with at most `bound` columns between them and the diagonal can be within the bound.
function distanceBetween(a: string, b: string, bound: number): number {
  const over = bound + 1;
  let [before, previous, current] = rows;
  for (let j = 0; j <= over; j += 1) previous[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - bound);
    const to = Math.min(b.length, i + bound);
    current[from - 1] = Math.min(i, over);
    let best = over;
    const letter = a.charCodeAt(i - 1);
    for (let j = from; j <= to; j += 1) {
      const other = b.charCodeAt(j - 1);
      let cost = (previous[j - 1] ?? 0) + (letter === other ? 0 : 1);
      cost = Math.min(cost, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      const swapped = letter === b.charCodeAt(j - 2) && other === a.charCodeAt(i - 2);
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      current[j] = cost;
      if (cost < best) best = cost;
    }
    current[to + 1] = over;
    if (best > bound) return over;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[b.length] ?? 0, over);
}

/** Longer texts get no suggestion: a name of 64 characters is not mistyped by two letters. */
export const MEANT_LENGTH_MAX = 64;

const MARKS_AND_SEPARATORS = /[\p{M}\s_.\-–/]/gu;

/** A name without case, accents, spaces, hyphens, dots, slashes and underscores. */
export function foldedName(text: string): string {
  return text.normalize('NFKD').toLowerCase().replace(MARKS_AND_SEPARATORS, '');
}

/** {@link foldedName} of the singular: `Countries` and `country` are the same. */
export function singularName(text: string): string {
  const folded = foldedName(text);
  if (folded.length > 4 && folded.endsWith('ies')) return `${folded.slice(0, -3)}y`;
  return folded.length > 3 && /[^s]s$/.test(folded) ? folded.slice(0, -1) : folded;
}

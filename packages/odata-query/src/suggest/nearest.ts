import { editDistance } from './edit-distance.ts';
import { foldedName, MEANT_LENGTH_MAX } from './fold-name.ts';

/** A shorter text is contained in too many names to be evidence. */
const CONTAINED_MIN = 3;

const WORD_START = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|[\s_.\-–/]+/u;

/**
 * The name a caller most likely meant: the one with the fewest typing mistakes (a letter wrong,
 * missing, added, or two swapped), at most one in three letters and never more than three;
 * else the shortest in which one of the words begins with what was written, unless names that do
 * not contain each other do. Case, accents, spaces, hyphens, dots and underscores are ignored.
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

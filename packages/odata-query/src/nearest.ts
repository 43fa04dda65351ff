import { editDistance } from './edit-distance.ts';

/** Longer texts get no suggestion: nobody mistypes a name of 64 characters by two. */
const MAX_LENGTH = 64;
/** A shorter text is contained in too many names to say anything. */
const MIN_CONTAINED = 3;

const MARKS_AND_SEPARATORS = /[\p{M}\s_.\-–/]/gu;

/**
 * The name a caller most likely meant: the one with the fewest typing mistakes (a letter wrong,
 * missing, added, or two swapped), at most one in three letters and never more than three;
 * else the shortest that contains what was written. Case, accents, spaces, hyphens, dots and
 * underscores count for nothing. Of equals the first wins. Undefined where nothing is near.
 *
 * Takes O(names × 64²) steps at most.
 */
export function nearest(wanted: string, names: Iterable<string>): string | undefined {
  if (wanted.length > MAX_LENGTH) return undefined;
  const folded = fold(wanted);
  if (folded.length === 0 || folded.length > MAX_LENGTH) return undefined;
  const mistakesMax = Math.min(3, Math.max(1, Math.floor(folded.length / 3)));
  let best: string | undefined;
  let bestMistakes = mistakesMax + 1;
  let container: string | undefined;
  for (const name of names) {
    const candidate = fold(name);
    const mistakes = editDistance(folded, candidate, bestMistakes - 1);
    if (mistakes === 0) return name;
    if (mistakes < bestMistakes && mistakes < folded.length) {
      best = name;
      bestMistakes = mistakes;
    }
    if (folded.length < MIN_CONTAINED || !candidate.includes(folded)) continue;
    if (container === undefined || name.length < container.length) container = name;
  }
  return best ?? container;
}

function fold(text: string): string {
  return text.normalize('NFKD').toLowerCase().replace(MARKS_AND_SEPARATORS, '');
}

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
export function nearest(names: Iterable<string>, wanted: string): string | undefined {
  if (wanted.length > MAX_LENGTH) return undefined;
  const folded = fold(wanted);
  if (folded.length === 0 || folded.length > MAX_LENGTH) return undefined;
  const mistakesMax = Math.min(3, Math.max(1, Math.floor(folded.length / 3)));
  let best: string | undefined;
  let bestMistakes = mistakesMax + 1;
  let container: string | undefined;
  for (const name of names) {
    const candidate = fold(name);
    if (Math.abs(candidate.length - folded.length) < bestMistakes) {
      const mistakes = mistakesBetween(folded, candidate);
      if (mistakes < bestMistakes && mistakes < folded.length) {
        best = name;
        bestMistakes = mistakes;
        if (mistakes === 0) return best;
      }
    }
    if (folded.length < MIN_CONTAINED || !candidate.includes(folded)) continue;
    if (container === undefined || name.length < container.length) container = name;
  }
  return best ?? container;
}

function fold(text: string): string {
  return text.normalize('NFKD').toLowerCase().replace(MARKS_AND_SEPARATORS, '');
}

/** Optimal string alignment distance, in three rows. */
function mistakesBetween(left: string, right: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, at(twoAbove, column - 2) + 1);
      current.push(cost);
    }
    twoAbove = above;
    above = current;
  }
  return at(above, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

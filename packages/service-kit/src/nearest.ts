const COMPARED_LENGTH_MAX = 64;
const CANDIDATES_MAX = 5_000;

/**
 * The candidate a person most likely meant, for `suggestion`; undefined when none is close.
 * Close: equal but for case, or at most a third of the letters (and at most 4) mistyped,
 * dropped, added or swapped.
 */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = text.slice(0, COMPARED_LENGTH_MAX).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.min(4, Math.floor(Math.max(wanted.length, 2) / 3)) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > CANDIDATES_MAX) break;
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance === 0) return candidate;
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits between two texts: substitution, insertion, deletion, swap of neighbours count one. */
export function editDistance(a: string, b: string): number {
  let twoBack: number[] = [];
  let back = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(back, j) + 1, at(row, j - 1) + 1, at(back, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(twoBack, j - 2) + 1);
      }
      row.push(cost);
    }
    twoBack = back;
    back = row;
  }
  return at(back, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

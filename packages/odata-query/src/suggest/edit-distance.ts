const rows = [new Uint8Array(512), new Uint8Array(512), new Uint8Array(512)] as const;
const LENGTH_MAX = 500;

/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other
 * (optimal string alignment), in UTF-16 units; `bound + 1` when there are more than `bound`.
 */
export function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) return bound + 1;
  if (a.length > LENGTH_MAX || b.length > LENGTH_MAX) return bound + 1;
  let [before, previous, current] = rows;
  for (let j = 0; j <= b.length; j += 1) previous[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    current[0] = i;
    let best = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j += 1) {
      const other = b.charCodeAt(j - 1);
      let cost = (previous[j - 1] ?? 0) + (letter === other ? 0 : 1);
      cost = Math.min(cost, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      const swapped = letter === b.charCodeAt(j - 2) && other === a.charCodeAt(i - 2);
      if (i > 1 && j > 1 && swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      current[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > bound) return bound + 1;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[b.length] ?? 0, bound + 1);
}

/**
 * Positions of the `count` highest scores, the highest first; equal ones as `compare` orders them,
 * by default by position. Scores of -Infinity are left out.
 */
export function highest(
  scores: Float64Array,
  count: number,
  compare: (a: number, b: number) => number = (a, b) => a - b,
): number[] {
  const least = leastOf(scores, count);
  const found: number[] = [];
  for (let k = 0; k < scores.length; k++) {
    const score = scores[k] as number;
    if (score >= least && score > Number.NEGATIVE_INFINITY) found.push(k);
  }
  return found
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || compare(a, b))
    .slice(0, count);
}

/** The `count`-th highest score: the root of a binary heap of the highest ones so far. */
function leastOf(scores: Float64Array, count: number): number {
  if (count <= 0) return Number.POSITIVE_INFINITY;
  if (count >= scores.length) return Number.NEGATIVE_INFINITY;
  const heap = scores.slice(0, count).sort();
  for (let k = count; k < scores.length; k++) {
    const score = scores[k] as number;
    if (score > (heap[0] as number)) replaceRoot(heap, score);
  }
  return heap[0] as number;
}

function replaceRoot(heap: Float64Array, score: number): void {
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if ((heap[child] as number) >= score) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = score;
}

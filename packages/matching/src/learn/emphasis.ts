import { type Examples, rowsOf } from './examples.ts';
import { scoreOf } from './score.ts';

/** The position at which a chosen candidate counts half. */
const HALF_POSITION = 30;

/**
 * How much each chosen candidate counts in a fit that aims at the first positions: little if many
 * candidates score higher. The mean is 1; 0 for candidates that were not chosen.
 */
export function emphasisOf(
  examples: Examples,
  groups: readonly number[],
  weights: Float64Array,
): Float32Array {
  const { features, rows, groupStart, label, weight } = examples;
  const emphasis = new Float32Array(label.length);
  const scores = new Float64Array(label.length);
  for (const c of rowsOf(examples, groups)) {
    scores[c] = scoreOf(weights, rows, c * features);
  }
  let [sum, count] = [0, 0];
  for (const g of groups) {
    const from = groupStart[g] as number;
    const to = groupStart[g + 1] as number;
    for (let c = from; c < to; c++) {
      if (label[c] !== 1) continue;
      let above = 0;
      for (let d = from; d < to; d++) {
        const isAbove = label[d] !== 1 && (scores[d] as number) > (scores[c] as number);
        if (isAbove) above += weight[d] as number;
      }
      emphasis[c] = 1 / (1 + above / HALF_POSITION);
      sum += emphasis[c] as number;
      count++;
    }
  }
  return emphasis.map((x) => (x * count) / Math.max(sum, 1e-9));
}

import type { Head } from './model.ts';
import { predictTree } from './tree.ts';

/** The uncalibrated score of a row of features. */
export function scoreOf(head: Head, row: Float64Array): number {
  let score = 0;
  for (let f = 0; f < row.length; f++) score += (head.weights[f] as number) * (row[f] as number);
  for (const tree of head.trees) score += predictTree(tree, row, 0);
  return score;
}

/**
 * A regression tree as columns; node 0 is the root. Node n tests `row[feature[n]] <= threshold[n]`
 * and continues at `left[n]` or `left[n] + 1`; a leaf has the feature -1.
 */
export interface Tree {
  readonly feature: readonly number[];
  readonly threshold: readonly number[];
  readonly left: readonly number[];
  readonly value: readonly number[];
}

/** The value of the leaf of a row. */
export function predictTree(tree: Tree, row: ArrayLike<number>, at: number): number {
  const { feature, threshold, left } = tree;
  let node = 0;
  for (let f = feature[0] as number; f >= 0; f = feature[node] as number) {
    const isRight = (row[at + f] as number) > (threshold[node] as number);
    node = (left[node] as number) + (isRight ? 1 : 0);
  }
  return tree.value[node] as number;
}

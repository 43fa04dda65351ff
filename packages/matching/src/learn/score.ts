/** The weighted sum of a row of features that begins at `at`: the uncalibrated score. */
export function scoreOf(weights: ArrayLike<number>, row: ArrayLike<number>, at = 0): number {
  let score = 0;
  for (let f = 0; f < weights.length; f++) {
    score += (weights[f] as number) * (row[at + f] as number);
  }
  return score;
}

import { minimize } from '@vcds/matching/minimize';

/** Examples as numbers: the features that are present in each, and its class. */
export interface Matrix {
  /** Where the features of each example begin in `features`, and the end of the last one. */
  readonly start: Int32Array;
  readonly features: Int32Array;
  readonly labels: Int32Array;
  readonly weights: Float64Array;
}

const ITERATIONS_MAX = 150;
/** The fit ends when an iteration gains less than this share. */
const TOLERANCE = 1e-5;

/**
 * Fits multinomial logistic regression on features that are present or absent. Deterministic.
 * @param l2 the pull of each weight towards 0, in examples.
 * @returns the weights: the classes of the first feature, then of the next one.
 */
export function fit(matrix: Matrix, features: number, classes: number, l2: number): Float64Array {
  const scores = new Float64Array(classes);
  const objective = (at: Float64Array, gradient: Float64Array): number => {
    let loss = 0;
    for (let k = 0; k < at.length; k++) {
      const weight = at[k] as number;
      loss += (l2 / 2) * weight * weight;
      gradient[k] = l2 * weight;
    }
    for (let example = 0; example < matrix.labels.length; example++) {
      const [from, to] = [matrix.start[example] as number, matrix.start[example + 1] as number];
      scores.fill(0);
      for (let k = from; k < to; k++) addRow(scores, at, matrix.features[k] as number);
      softmax(scores);
      const label = matrix.labels[example] as number;
      const weight = matrix.weights[example] as number;
      loss -= weight * Math.log(Math.max(scores[label] as number, Number.MIN_VALUE));
      scores[label] = (scores[label] as number) - 1;
      for (let k = from; k < to; k++) {
        const row = (matrix.features[k] as number) * classes;
        for (let c = 0; c < classes; c++) {
          gradient[row + c] = (gradient[row + c] as number) + weight * (scores[c] as number);
        }
      }
    }
    return loss;
  };
  const start = new Float64Array(features * classes);
  return minimize(objective, start, ITERATIONS_MAX, TOLERANCE);
}

/** Adds the weights of a feature to the scores of the classes. */
export function addRow(scores: Float64Array, weights: ArrayLike<number>, feature: number): void {
  const row = feature * scores.length;
  for (let c = 0; c < scores.length; c++) {
    scores[c] = (scores[c] as number) + (weights[row + c] as number);
  }
}

/** Makes probabilities of scores, in place. */
export function softmax(scores: Float64Array): void {
  let top = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < scores.length; c++)
    if ((scores[c] as number) > top) top = scores[c] as number;
  let sum = 0;
  for (let c = 0; c < scores.length; c++) {
    scores[c] = Math.exp((scores[c] as number) - top);
    sum += scores[c] as number;
  }
  for (let c = 0; c < scores.length; c++) scores[c] = (scores[c] as number) / sum;
}

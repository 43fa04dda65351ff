import type { Examples } from './examples.ts';
import { minimize } from './lbfgs.ts';

/** Mean and standard deviation of each feature over the candidates. */
export interface Scale {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/** The scale of features; a feature that does not vary gets the deviation 1. */
export function scaleOf(examples: Examples): Scale {
  const { features, rows } = examples;
  const count = rows.length / features;
  const mean = new Float64Array(features);
  const square = new Float64Array(features);
  for (let c = 0; c < count; c++) {
    for (let f = 0; f < features; f++) {
      const x = rows[c * features + f] as number;
      mean[f] = (mean[f] as number) + x / count;
      square[f] = (square[f] as number) + (x * x) / count;
    }
  }
  const deviation = square.map((s, f) => Math.sqrt(Math.max(0, s - (mean[f] as number) ** 2)));
  return { mean, deviation: deviation.map((d) => (d > 1e-4 ? d : 1)) };
}

/**
 * Fits the weights of a conditional logistic regression: in each group, every chosen candidate
 * competes with the candidates that were not chosen. `l2` is the pull towards `prior`, in groups.
 * Weights are of features divided by their deviation.
 */
export function fitSoftmax(
  examples: Examples,
  groups: readonly number[],
  deviation: Float64Array,
  l2: number,
  prior: Float64Array = new Float64Array(examples.features),
): Float64Array {
  const { features, rows, groupStart, label, weight } = examples;
  const scores = new Float64Array(longestOf(examples));
  const mass = new Float64Array(scores.length);
  const objective = (at: Float64Array, gradient: Float64Array): number => {
    const scaled = at.map((w, f) => w / (deviation[f] as number));
    const raw = new Float64Array(features);
    let loss = 0;
    for (const g of groups) {
      const from = groupStart[g] as number;
      const size = (groupStart[g + 1] as number) - from;
      let top = Number.NEGATIVE_INFINITY;
      for (let c = 0; c < size; c++) {
        let score = 0;
        const row = (from + c) * features;
        for (let f = 0; f < features; f++)
          score += (rows[row + f] as number) * (scaled[f] as number);
        scores[c] = score;
        if (score > top) top = score;
      }
      loss += groupLoss(scores, mass, label, weight, from, size, top);
      for (let c = 0; c < size; c++) {
        const m = mass[c] as number;
        if (m === 0) continue;
        const row = (from + c) * features;
        for (let f = 0; f < features; f++)
          raw[f] = (raw[f] as number) + m * (rows[row + f] as number);
      }
    }
    for (let f = 0; f < features; f++) {
      const away = (at[f] as number) - (prior[f] as number);
      loss += 0.5 * l2 * away * away;
      gradient[f] = (raw[f] as number) / (deviation[f] as number) + l2 * away;
    }
    return loss;
  };
  return minimize(objective, prior);
}

/** The loss of a group; writes to `mass` the derivative by the score of each candidate. */
function groupLoss(
  scores: Float64Array,
  mass: Float64Array,
  label: Uint8Array,
  weight: Float32Array,
  from: number,
  size: number,
  top: number,
): number {
  let others = 0;
  let chosen = 0;
  for (let c = 0; c < size; c++) {
    mass[c] = Math.exp((scores[c] as number) - top) * (weight[from + c] as number);
    if (label[from + c] === 1) chosen++;
    else others += mass[c] as number;
  }
  if (chosen === 0 || others === 0) {
    mass.fill(0, 0, size);
    return 0;
  }
  let loss = 0;
  let pressed = 0;
  for (let c = 0; c < size; c++) {
    if (label[from + c] !== 1) continue;
    const total = others + (mass[c] as number);
    loss += (Math.log(total) + top - (scores[c] as number)) / chosen;
    pressed += 1 / (total * chosen);
    mass[c] = ((mass[c] as number) / total - 1) / chosen;
  }
  for (let c = 0; c < size; c++) {
    if (label[from + c] !== 1) mass[c] = (mass[c] as number) * pressed;
  }
  return loss;
}

function longestOf({ groupStart }: Examples): number {
  let longest = 0;
  for (let g = 0; g + 1 < groupStart.length; g++) {
    longest = Math.max(longest, (groupStart[g + 1] as number) - (groupStart[g] as number));
  }
  return longest;
}

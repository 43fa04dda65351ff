import { FEATURES } from '../features/features.ts';
import type { Examples } from './examples.ts';
import { minimize } from './lbfgs.ts';
import { scoreOf } from './model.ts';

const ITERATIONS_MAX = 80;
/** Relative decrease of the loss below which the fit ends. */
const TOLERANCE = 1e-5;

/** Mean and standard deviation of each feature over the candidates. */
export interface Scale {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/** The scale of features; a feature that does not vary gets the deviation 1. */
export function scaleOf({ rows }: Examples): Scale {
  const features = FEATURES.length;
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
  const variance = square.map((s, f) => s - (mean[f] as number) ** 2);
  return { mean, deviation: variance.map((v) => (v > 1e-8 ? Math.sqrt(v) : 1)) };
}

export interface SoftmaxProblem {
  readonly examples: Examples;
  readonly groups: readonly number[];
  readonly deviation: Float64Array;
  /** Pull of the weights towards `prior`, in groups. */
  readonly l2: number;
  readonly prior: Float64Array;
  /** How much each chosen candidate counts; 1 by default. */
  readonly emphasis?: Float32Array;
}

/**
 * Fits the weights of a conditional logistic regression: in each group, every chosen candidate
 * competes with the candidates that were not chosen. The weights are of features divided by their
 * deviation.
 */
export function fitSoftmax(problem: SoftmaxProblem): Float64Array {
  const { examples, groups, deviation, l2, prior } = problem;
  const { rows, groupStart } = examples;
  const features = FEATURES.length;
  const mass = new Float64Array(longestOf(examples));
  const objective = (at: Float64Array, gradient: Float64Array): number => {
    const scaled = at.map((w, f) => w / (deviation[f] as number));
    const raw = new Float64Array(features);
    let loss = 0;
    for (const g of groups) {
      const from = groupStart[g] as number;
      const size = (groupStart[g + 1] as number) - from;
      for (let c = 0; c < size; c++) {
        mass[c] = scoreOf(scaled, rows, (from + c) * features);
      }
      loss += groupLoss(problem, mass, from, size);
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
  return minimize(objective, prior, ITERATIONS_MAX, TOLERANCE);
}

/** The loss of a group; replaces each score by the derivative of the loss. */
function groupLoss(
  { examples, emphasis }: SoftmaxProblem,
  scores: Float64Array,
  from: number,
  size: number,
): number {
  const { label, weight } = examples;
  const top = scores.subarray(0, size).reduce((most, x) => Math.max(most, x), -Infinity);
  let [others, chosen] = [0, 0];
  for (let c = 0; c < size; c++) {
    if (label[from + c] === 1) chosen++;
    else others += (weight[from + c] as number) * Math.exp((scores[c] as number) - top);
  }
  if (chosen === 0 || others === 0) {
    scores.fill(0, 0, size);
    return 0;
  }
  let [loss, pressure] = [0, 0];
  for (let c = 0; c < size; c++) {
    const count = weight[from + c] as number;
    const mass = count * Math.exp((scores[c] as number) - top);
    if (label[from + c] !== 1) {
      scores[c] = mass;
      continue;
    }
    const part = (emphasis?.[from + c] ?? 1) / chosen;
    loss += part * (Math.log(others + mass) + top - (scores[c] as number));
    pressure += part / (others + mass);
    scores[c] = part * (mass / (others + mass) - 1);
  }
  for (let c = 0; c < size; c++) {
    if (label[from + c] !== 1) scores[c] = (scores[c] as number) * pressure;
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

/** The position at which a chosen candidate counts half. */
const HALF_POSITION = 30;

/**
 * How much each chosen candidate counts in a fit that aims at the first positions: little if many
 * candidates score higher. The mean is 1; 0 for candidates that were not chosen.
 */
export function emphasisOf(
  { rows, groupStart, label, weight }: Examples,
  groups: readonly number[],
  weights: Float64Array,
): Float32Array {
  const emphasis = new Float32Array(label.length);
  let [sum, count] = [0, 0];
  for (const g of groups) {
    const from = groupStart[g] as number;
    const to = groupStart[g + 1] as number;
    const scores = Float64Array.from({ length: to - from }, (_, c) =>
      scoreOf(weights, rows, (from + c) * weights.length),
    );
    for (let c = from; c < to; c++) {
      if (label[c] !== 1) continue;
      let above = 0;
      for (let d = from; d < to; d++) {
        const isAbove = (scores[d - from] as number) > (scores[c - from] as number);
        if (label[d] !== 1 && isAbove) above += weight[d] as number;
      }
      emphasis[c] = 1 / (1 + above / HALF_POSITION);
      sum += emphasis[c] as number;
      count++;
    }
  }
  return emphasis.map((x) => (x * count) / Math.max(sum, 1e-9));
}

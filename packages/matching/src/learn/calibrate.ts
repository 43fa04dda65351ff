import { minimize } from './lbfgs.ts';

/** The logit of a probability as a line of a score. */
export interface Calibration {
  readonly offset: number;
  readonly slope: number;
}

/** Pull of the slope towards 1, in chosen candidates. */
const SLOPE_PULL = 10;
const SLOPE_MIN = 0.05;
/** The offset without examples, and the pull towards it. */
const OFFSET = -4;
const OFFSET_PULL = 1e-3;

/** Fits the probability of being chosen to scores (Platt scaling); weights count candidates. */
export function calibrate(
  scores: Float64Array,
  labels: Uint8Array,
  weights: Float32Array,
): Calibration {
  const objective = (at: Float64Array, gradient: Float64Array): number => {
    const [offset = 0, slope = 1] = at;
    let loss = 0.5 * SLOPE_PULL * (slope - 1) ** 2 + 0.5 * OFFSET_PULL * (offset - OFFSET) ** 2;
    gradient[0] = OFFSET_PULL * (offset - OFFSET);
    gradient[1] = SLOPE_PULL * (slope - 1);
    for (let c = 0; c < scores.length; c++) {
      const score = scores[c] as number;
      const logit = offset + slope * score;
      const signed = labels[c] === 1 ? -logit : logit;
      loss += (weights[c] as number) * (signed > 30 ? signed : Math.log1p(Math.exp(signed)));
      const miss = (weights[c] as number) * (1 / (1 + Math.exp(-logit)) - (labels[c] as number));
      gradient[0] = (gradient[0] as number) + miss;
      gradient[1] = (gradient[1] as number) + miss * score;
    }
    return loss;
  };
  const [offset = 0, slope = 1] = minimize(objective, Float64Array.of(OFFSET, 1), 200);
  return { offset, slope: Math.max(SLOPE_MIN, slope) };
}

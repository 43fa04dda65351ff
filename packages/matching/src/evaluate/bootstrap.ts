import { Random } from '../history/random.ts';

/** A mean with its 95 % bootstrap interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 1000;

/** The mean of values and the interval of means of resampled values; 0 without values. */
export function bootstrap(values: readonly number[], seed: number): Estimate {
  const n = values.length;
  if (n === 0) return { mean: 0, low: 0, high: 0 };
  const random = new Random(seed);
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += values[random.below(n)] as number;
    return sum / n;
  }).sort();
  const at = (share: number) => means[Math.round(share * (RESAMPLES - 1))] as number;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return { mean, low: at(0.025), high: at(0.975) };
}

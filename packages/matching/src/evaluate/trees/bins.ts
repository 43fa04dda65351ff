import type { Examples } from '../../learn/examples.ts';

/** Bins of one feature at most. */
export const BINS = 48;
const SAMPLE_MAX = 50_000;

/** Features as numbers of bins, column by column. */
export interface Binned {
  readonly rows: number;
  /** Bin of row r of feature f: `bin[f * rows + r]`. */
  readonly bin: Uint8Array;
  /** Upper bounds, inclusive, of the bins of each feature but its last. */
  readonly bounds: readonly Float32Array[];
}

/** Divides the values of each feature into bins of about equal numbers of rows. */
export function binFeatures(examples: Examples): Binned {
  const { features, rows } = examples;
  const count = rows.length / features;
  const bin = new Uint8Array(rows.length);
  const step = Math.max(1, Math.floor(count / SAMPLE_MAX));
  const bounds = Array.from({ length: features }, (_, f) => {
    const sample = new Float32Array(Math.ceil(count / step));
    for (let k = 0; k < sample.length; k++) sample[k] = rows[k * step * features + f] as number;
    const own = boundsOf(sample.sort());
    for (let r = 0; r < count; r++) {
      bin[f * count + r] = binOf(own, rows[r * features + f] as number);
    }
    return own;
  });
  return { rows: count, bin, bounds };
}

function boundsOf(sorted: Float32Array): Float32Array {
  const found: number[] = [];
  for (let b = 1; b < BINS; b++) {
    const bound = sorted[Math.floor((b * sorted.length) / BINS)] as number;
    if (bound < (sorted.at(-1) ?? bound) && bound !== found.at(-1)) found.push(bound);
  }
  return Float32Array.from(found);
}

function binOf(bounds: Float32Array, x: number): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (x <= (bounds[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

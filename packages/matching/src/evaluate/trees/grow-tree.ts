import { BINS, type Binned } from './bins.ts';
import type { Tree } from './tree.ts';

export interface GrowOptions {
  readonly leavesMax: number;
  /** Least sum of second derivatives in a leaf. */
  readonly hessianMin: number;
  /** Pull of leaf values towards 0. */
  readonly l2: number;
  /** Features to try. */
  readonly features: readonly number[];
}

interface Leaf {
  readonly node: number;
  readonly rows: Uint32Array;
  readonly histogram: Float64Array;
  readonly gradient: number;
  readonly hessian: number;
  readonly split: Split;
}

interface Split {
  readonly gain: number;
  readonly feature: number;
  readonly bin: number;
}

const NO_SPLIT: Split = { gain: 0, feature: -1, bin: 0 };

/**
 * Grows a tree, the best leaf first, that follows the negative gradient by Newton steps. Values of
 * inner nodes are what the node would predict as a leaf. Writes the prediction of each row.
 */
export function growTree(
  binned: Binned,
  rows: Uint32Array,
  gradient: Float64Array,
  hessian: Float64Array,
  options: GrowOptions,
  predicted: Float64Array,
): Tree {
  const tree = { feature: [-1], threshold: [0], left: [0], value: [0] };
  const stride = BINS * 2;
  const leafOf = (node: number, own: Uint32Array, histogram: Float64Array): Leaf => {
    let g = 0;
    let h = 0;
    for (const r of own) {
      g += gradient[r] as number;
      h += hessian[r] as number;
    }
    tree.value[node] = -g / (h + options.l2);
    const split = bestSplit(histogram, g, h, binned, options);
    return { node, rows: own, histogram, gradient: g, hessian: h, split };
  };
  const fill = (own: Uint32Array) => {
    const histogram = new Float64Array(binned.bounds.length * stride);
    for (const f of options.features) {
      const from = f * binned.rows;
      const to = f * stride;
      for (let k = 0; k < own.length; k++) {
        const r = own[k] as number;
        const at = to + 2 * (binned.bin[from + r] as number);
        histogram[at] = (histogram[at] as number) + (gradient[r] as number);
        histogram[at + 1] = (histogram[at + 1] as number) + (hessian[r] as number);
      }
    }
    return histogram;
  };
  const leaves: Leaf[] = [leafOf(0, rows, fill(rows))];
  while (leaves.length < options.leavesMax) {
    let best = 0;
    leaves.forEach((leaf, k) => {
      if (leaf.split.gain > (leaves[best]?.split.gain ?? 0)) best = k;
    });
    const leaf = leaves[best];
    if (leaf === undefined || leaf.split.feature < 0) break;
    const { feature, bin } = leaf.split;
    const [low, high] = divide(binned, leaf.rows, feature, bin);
    const left = tree.feature.length;
    tree.feature[leaf.node] = feature;
    tree.threshold[leaf.node] = binned.bounds[feature]?.[bin] ?? 0;
    tree.left[leaf.node] = left;
    for (const column of [tree.threshold, tree.left, tree.value]) column.push(0, 0);
    tree.feature.push(-1, -1);
    const isLowSmaller = low.length <= high.length;
    const small = fill(isLowSmaller ? low : high);
    const large = leaf.histogram;
    for (let k = 0; k < large.length; k++) large[k] = (large[k] as number) - (small[k] as number);
    const lowLeaf = leafOf(left, low, isLowSmaller ? small : large);
    const highLeaf = leafOf(left + 1, high, isLowSmaller ? large : small);
    leaves.splice(best, 1, lowLeaf, highLeaf);
  }
  for (const { node, rows: own } of leaves) {
    for (const r of own) predicted[r] = tree.value[node] as number;
  }
  return tree;
}

function bestSplit(
  histogram: Float64Array,
  g: number,
  h: number,
  binned: Binned,
  options: GrowOptions,
): Split {
  const { l2, hessianMin } = options;
  const whole = (g * g) / (h + l2);
  let best = NO_SPLIT;
  for (const feature of options.features) {
    const bounds = binned.bounds[feature]?.length ?? 0;
    let lowG = 0;
    let lowH = 0;
    for (let bin = 0; bin < bounds; bin++) {
      const at = (feature * BINS + bin) * 2;
      lowG += histogram[at] as number;
      lowH += histogram[at + 1] as number;
      const highH = h - lowH;
      if (lowH < hessianMin || highH < hessianMin) continue;
      const gain = (lowG * lowG) / (lowH + l2) + (g - lowG) ** 2 / (highH + l2) - whole;
      if (gain > best.gain + 1e-9) best = { gain, feature, bin };
    }
  }
  return best;
}

function divide(
  binned: Binned,
  rows: Uint32Array,
  feature: number,
  bin: number,
): readonly [Uint32Array, Uint32Array] {
  const from = feature * binned.rows;
  const isLow = (r: number) => (binned.bin[from + r] as number) <= bin;
  return [rows.filter(isLow), rows.filter((r) => !isLow(r))];
}

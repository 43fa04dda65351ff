import { Random } from '../../history/random.ts';
import { type Examples, rowsOf } from '../../learn/examples.ts';
import { binFeatures } from './bins.ts';
import { growTree } from './grow-tree.ts';
import type { Tree } from './tree.ts';

export interface BoostOptions {
  readonly trees: number;
  readonly rate: number;
  readonly leavesMax: number;
  readonly hessianMin: number;
  readonly l2: number;
  /** Share of the features that a tree may use. */
  readonly featureShare: number;
  readonly seed: number;
}

/** Positions below this one do not count in the gradients. */
const POSITIONS = 10;

/**
 * Boosts trees from given scores of the candidates towards a better NDCG@10 (LambdaMART: each pair
 * of a chosen and another candidate pulls by the NDCG that a swap would gain).
 */
export function boost(
  examples: Examples,
  groups: readonly number[],
  scores: Float64Array,
  options: BoostOptions,
): Tree[] {
  const random = new Random(options.seed);
  const count = scores.length;
  const gradient = new Float64Array(count);
  const hessian = new Float64Array(count);
  const predicted = new Float64Array(count);
  const lambdas = new Lambdas(examples);
  const rows = rowsOf(examples, groups);
  const binned = binFeatures(examples);
  const trees: Tree[] = [];
  const varying = binned.bounds.flatMap(({ length }, f) => (length > 0 ? [f] : []));
  const share = Math.max(1, Math.round(options.featureShare * varying.length));
  for (let t = 0; t < options.trees; t++) {
    gradient.fill(0);
    hessian.fill(0);
    for (const g of groups) lambdas.add(g, scores, gradient, hessian);
    const features = random.sample(share, varying.length).map((k) => varying[k] as number);
    const tree = growTree(binned, rows, gradient, hessian, { ...options, features }, predicted);
    if (tree.feature.length === 1) break;
    for (const r of rows)
      scores[r] = (scores[r] as number) + options.rate * (predicted[r] as number);
    trees.push({ ...tree, value: tree.value.map((value) => options.rate * value) });
  }
  return trees;
}

class Lambdas {
  readonly #examples: Examples;
  readonly #discounts: Float64Array;

  constructor(examples: Examples) {
    this.#examples = examples;
    this.#discounts = Float64Array.from({ length: POSITIONS }, (_, k) => 1 / Math.log2(k + 2));
  }

  add(g: number, scores: Float64Array, gradient: Float64Array, hessian: Float64Array): void {
    const { groupStart, label } = this.#examples;
    const from = groupStart[g] as number;
    const to = groupStart[g + 1] as number;
    const order = Uint32Array.from({ length: to - from }, (_, k) => from + k).sort(
      (a, b) => (scores[b] as number) - (scores[a] as number) || a - b,
    );
    const chosen = order.filter((r) => label[r] === 1);
    let ideal = 0;
    for (let k = 0; k < Math.min(POSITIONS, chosen.length); k++)
      ideal += this.#discounts[k] as number;
    order.forEach((high, position) => {
      if (label[high] !== 1) return;
      for (let k = 0; k < order.length; k++) {
        const other = order[k] as number;
        if (label[other] === 1) continue;
        const swap = Math.abs(this.#discount(position) - this.#discount(k)) / ideal;
        if (swap === 0) continue;
        const difference = (scores[high] as number) - (scores[other] as number);
        const rho = 1 / (1 + Math.exp(difference));
        const pull = swap * rho;
        const curve = swap * rho * (1 - rho);
        gradient[high] = (gradient[high] as number) - pull;
        gradient[other] = (gradient[other] as number) + pull;
        hessian[high] = (hessian[high] as number) + curve;
        hessian[other] = (hessian[other] as number) + curve;
      }
    });
  }

  #discount(position: number): number {
    return position < POSITIONS ? (this.#discounts[position] as number) : 0;
  }
}

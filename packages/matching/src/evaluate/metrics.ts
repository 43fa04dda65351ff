/** Figures of one ranking, each from 0 to 1. */
export interface Metrics {
  readonly recall10: number;
  readonly recall50: number;
  /** 1 / position of the first relevant item, 0 if none is ranked. */
  readonly mrr: number;
  readonly ndcg10: number;
}

export const METRICS = ['recall10', 'recall50', 'mrr', 'ndcg10'] as const;

/** The figures of a ranking, best first; `relevant` must not be empty. Gains are 0 or 1. */
export function metricsOf(ranking: ArrayLike<number>, relevant: ReadonlySet<number>): Metrics {
  let dcg = 0;
  let hits10 = 0;
  let hits50 = 0;
  let first = 0;
  for (let k = 0; k < ranking.length; k++) {
    if (!relevant.has(ranking[k] as number)) continue;
    if (first === 0) first = k + 1;
    if (k < 10) {
      dcg += 1 / Math.log2(k + 2);
      hits10++;
    }
    if (k >= 50) break;
    hits50++;
  }
  let ideal = 0;
  for (let k = 0; k < Math.min(10, relevant.size); k++) ideal += 1 / Math.log2(k + 2);
  return {
    recall10: hits10 / relevant.size,
    recall50: hits50 / relevant.size,
    mrr: first === 0 ? 0 : 1 / first,
    ndcg10: dcg / ideal,
  };
}

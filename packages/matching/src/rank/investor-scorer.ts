import { FEATURES, type FeatureSpace } from '../features/features.ts';
import { positionsByValue } from '../history/history.ts';
import type { Lists } from '../history/lists.ts';
import type { ResolvedQuery } from '../history/resolve-query.ts';
import { highest } from './highest.ts';

/** Candidates of which the features are computed, at least. */
const CANDIDATES_MIN = 600;

export interface Scored {
  /** The candidates whose features were computed, and their scores. */
  readonly investors: readonly number[];
  readonly scores: Float64Array;
}

/** Scores the investors for a query: of many, only those with the highest quick scores. */
export class InvestorScorer {
  readonly #space: FeatureSpace;
  readonly #positions: Lists;
  readonly #row = new Float64Array(FEATURES.length);

  constructor(space: FeatureSpace) {
    this.#space = space;
    this.#positions = positionsByValue(space.history);
  }

  /** Scores enough of the candidates for a list of `top`; `scoreOf` reads the features of one. */
  score(
    query: ResolvedQuery,
    candidates: ArrayLike<number>,
    top: number,
    scoreOf: (row: Float64Array) => number,
  ): Scored {
    const space = this.#space;
    space.setQuery(query);
    const investors = this.#likeliest(candidates, Math.max(CANDIDATES_MIN, 3 * top));
    const scores = Float64Array.from(investors, (i) => {
      space.fill(i, this.#row, 0);
      return scoreOf(this.#row);
    });
    return { investors, scores };
  }

  #likeliest(candidates: ArrayLike<number>, count: number): number[] {
    if (candidates.length <= count) return Array.from(candidates);
    const quick = this.#space.quickScores(this.#positions);
    const scores = Float64Array.from(candidates, (i) => quick[i] as number);
    return highest(scores, count).map((k) => candidates[k] as number);
  }
}

import { liftsOf, quickScores } from '../features/features.ts';
import { type History, positionsByValue } from '../history/history.ts';
import type { Lists } from '../history/lists.ts';
import type { ResolvedQuery } from '../history/query.ts';
import { highest } from './highest.ts';

/** Candidates of which the features are computed, at least. */
const INVESTORS_MIN = 600;
const STARTUPS_MIN = 1500;

/** Chooses the candidates of a list of `top` whose features are computed, by cheap scores. */
export class Shortlist {
  readonly #history: History;
  readonly #positions: Lists;

  constructor(history: History) {
    this.#history = history;
    this.#positions = positionsByValue(history);
  }

  /** Those of the candidates with the highest quick scores. */
  investors(query: ResolvedQuery, candidates: ArrayLike<number>, top: number): number[] {
    const count = Math.max(INVESTORS_MIN, 3 * top);
    if (candidates.length <= count) return Array.from(candidates);
    const quick = quickScores(this.#history, this.#positions, query);
    const scores = Float64Array.from(candidates, (i) => quick[i] as number);
    return highest(scores, count).map((k) => candidates[k] as number);
  }

  /** The startups most like an investor's own in tags, places and earlier investors. */
  startups(investor: number, excluded: Iterable<number>, top: number): number[] {
    const { timeline, cut } = this.#history;
    const { day, investor: investors } = timeline.data.investments;
    const lifts = liftsOf(this.#history, investor);
    const { statics, companies } = timeline;
    const scores = new Float64Array(timeline.data.startups.length);
    for (let s = 0; s < scores.length; s++) {
      const [from, to] = [statics.start[s] as number, statics.start[s + 1] as number];
      let sum = 0;
      for (let k = from; k < to; k++) sum += lifts[statics.items[k] as number] as number;
      let partner = 0;
      const end = companies.start[s + 1] as number;
      for (let k = companies.start[s] as number; k < end; k++) {
        const row = companies.items[k] as number;
        const lift = lifts[investors[row] as number] as number;
        if (lift > partner && (day[row] as number) < cut) partner = lift;
      }
      scores[s] = sum / Math.max(1, to - from) + partner;
    }
    for (const s of excluded) if (s < scores.length) scores[s] = Number.NEGATIVE_INFINITY;
    return highest(scores, Math.max(STARTUPS_MIN, 3 * top));
  }
}

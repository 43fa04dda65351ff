import { liftOf, SHRINKAGE } from '../features/features.ts';
import type { History } from '../history/history.ts';
import { type Lists, listsOf } from '../history/lists.ts';
import { highest } from './highest.ts';

/** Chooses the startups most like an investor's own in tags, places and earlier investors. */
export class Shortlist {
  readonly #history: History;
  /** Investors of each startup before the cut. */
  readonly #partners: Lists;

  constructor(history: History) {
    this.#history = history;
    const { timeline, cut } = history;
    const { startup, investor, day } = timeline.data.investments;
    this.#partners = listsOf(timeline.data.startups.length, (give) => {
      for (const row of timeline.companyRows) {
        if ((day[row] as number) < cut) give(startup[row] as number, investor[row] as number);
      }
    });
  }

  /** `count` startups at most, for the ranking itself to order; without the excluded ones. */
  of(investor: number, count: number, excluded: Iterable<number>): number[] {
    const { staticStart, staticValues, vocabulary, data } = this.#history.timeline;
    const { start, items } = this.#partners;
    const lifts = liftsOf(this.#history, investor);
    const first = vocabulary.earlierInvestor(0);
    const scores = new Float64Array(data.startups.length);
    for (let s = 0; s < scores.length; s++) {
      const from = staticStart[s] as number;
      const to = staticStart[s + 1] as number;
      let sum = 0;
      for (let k = from; k < to; k++) sum += lifts[staticValues[k] as number] as number;
      let partner = 0;
      const end = start[s + 1] as number;
      for (let k = start[s] as number; k < end; k++) {
        const lift = lifts[first + (items[k] as number)] as number;
        if (lift > partner) partner = lift;
      }
      scores[s] = sum / Math.max(1, to - from) + partner;
    }
    for (const s of excluded) if (s < scores.length) scores[s] = Number.NEGATIVE_INFINITY;
    return highest(scores, count);
  }
}

/** How much more often the investor's companies have each value than those of all investors. */
function liftsOf(history: History, investor: number): Float64Array {
  const slow = history.slow[investor] as number;
  const none = Math.log(SHRINKAGE / (slow + SHRINKAGE));
  const lifts = new Float64Array(history.totalSlow.length).fill(none);
  const end = history.start[investor + 1] as number;
  for (let p = history.start[investor] as number; p < end; p++) {
    const value = history.value[p] as number;
    const share = (history.totalSlow[value] as number) / history.slowSum;
    lifts[value] = liftOf(history.valueSlow[p] as number, share, slow);
  }
  return lifts;
}

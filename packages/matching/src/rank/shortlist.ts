import { SHRINKAGE } from '../features/features.ts';
import type { History } from '../history/history.ts';

/**
 * The startups most like an investor's own in tags, places and earlier investors, without those of
 * `isExcluded`: a quick choice of `count` startups, for the ranking itself to order.
 */
export function shortlist(
  history: History,
  investor: number,
  count: number,
  isExcluded: (startup: number) => boolean,
): Uint32Array {
  const { timeline, cut } = history;
  const { staticStart, staticValues, companyStart, companyRows, data } = timeline;
  const { day, investor: investorOf } = data.investments;
  const lifts = liftsOf(history, investor);
  const scores = new Float64Array(data.startups.length).fill(Number.NEGATIVE_INFINITY);
  for (let s = 0; s < scores.length; s++) {
    if (isExcluded(s)) continue;
    const from = staticStart[s] as number;
    const to = staticStart[s + 1] as number;
    let sum = 0;
    for (let k = from; k < to; k++) sum += lifts[staticValues[k] as number] as number;
    let partner = 0;
    const end = companyStart[s + 1] as number;
    for (let k = companyStart[s] as number; k < end; k++) {
      const row = companyRows[k] as number;
      if ((day[row] as number) >= cut) break;
      const lift = lifts[timeline.vocabulary.earlierInvestor(investorOf[row] as number)] as number;
      partner = Math.max(partner, lift);
    }
    scores[s] = sum / Math.max(1, to - from) + partner;
  }
  const order = Uint32Array.from(scores.keys()).filter((s) => Number.isFinite(scores[s]));
  if (order.length <= count) return order;
  const least = scores.slice().sort()[scores.length - count] as number;
  return order
    .filter((s) => (scores[s] as number) >= least)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .subarray(0, count);
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
    const hits = history.valueSlow[p] as number;
    lifts[value] = Math.log((hits / share + SHRINKAGE) / (slow + SHRINKAGE));
  }
  return lifts;
}

import { describe, expect, test } from '@jest/globals';
import { FEATURES, FeatureSpace } from '../src/features/features.ts';
import { Similarity } from '../src/features/similarity.ts';
import { createHistory, type History, positionsByValue } from '../src/history/history.ts';
import { Random } from '../src/history/random.ts';
import { type ResolvedQuery, resolveQuery } from '../src/history/resolve-query.ts';
import { createTimeline } from '../src/history/timeline.ts';
import { STATIC_FAMILIES } from '../src/history/values.ts';
import { highest } from '../src/rank/highest.ts';
import { DATA_DAYS, plantedData } from './planted-data.ts';

/** The likeness by its definition: each company of the investor as a set of values. */
function plainLikeness(history: History, query: ResolvedQuery, investor: number) {
  const { timeline, cut, degree, companies } = history;
  const { staticStart, staticValues, eventStart, eventRow, data } = timeline;
  const known = degree.filter((count) => count > 0).length;
  const rarity = (value: number) => Math.log((known + 2) / ((companies[value] as number) + 1));
  const length = (values: readonly number[]) =>
    Math.sqrt(values.reduce((sum, value) => sum + rarity(value) ** 2, 0)) || 1;
  const sought = STATIC_FAMILIES.flatMap((_, family) => query.values[family] ?? []);
  const sums = [0, 0];
  for (const row of eventRow.subarray(eventStart[investor], eventStart[investor + 1])) {
    const day = data.investments.day[row] as number;
    const s = data.investments.startup[row] as number;
    if (day >= cut) continue;
    const own = [...staticValues.subarray(staticStart[s], staticStart[s + 1])];
    const product = own.reduce(
      (sum, value) => sum + (sought.includes(value) ? rarity(value) ** 2 : 0),
      0,
    );
    const cosine = product / (length(sought) * length(own));
    const weight = 2 ** ((day - cut) / (4 * 365));
    sums[0] = (sums[0] as number) + weight * cosine ** 2;
    sums[1] = (sums[1] as number) + weight * cosine ** 6;
  }
  return sums;
}

describe('quick computations', () => {
  test.each([1, 2, 3, 4])('the likeness of portfolios is that of its definition (%d)', (seed) => {
    const data = plantedData(seed, { companies: 120 });
    const timeline = createTimeline(data);
    const history = createHistory(timeline, DATA_DAYS / 2 + 100 * seed);
    const similarity = new Similarity(history);
    const random = new Random(seed);
    for (let k = 0; k < 20; k++) {
      const criteria = { tags: ['games', 'health', 'unknown'].slice(k % 3), country: 'DE' };
      const startup = random.below(data.startups.length);
      const query = resolveQuery(timeline, k % 2 === 0 ? criteria : { startup }, history.cut);
      similarity.set(query);
      for (let investor = 0; investor < data.investors.length; investor++) {
        const plain = plainLikeness(history, query, investor);
        for (const quick of [
          similarity.portfolio(investor),
          similarity.ofInvestor(investor)(query),
        ]) {
          expect(quick[0]).toBeCloseTo(plain[0] as number, 4);
          expect(quick[1]).toBeCloseTo(plain[1] as number, 4);
        }
      }
    }
  });

  test('quick scores are those of the features that they add up', () => {
    const data = plantedData(6, { companies: 200 });
    const timeline = createTimeline(data);
    const history = createHistory(timeline, DATA_DAYS);
    const space = new FeatureSpace(history);
    const positions = positionsByValue(history);
    const row = new Float64Array(FEATURES.length);
    const queries = [
      {},
      { tags: ['games', 'health'] },
      { startup: 3 },
      { startup: 8, country: 'DE' },
    ];
    for (const query of queries) {
      space.setQuery(resolveQuery(timeline, query, history.cut));
      space.quickScores(positions).forEach((score, investor) => {
        space.fill(investor, row, 0);
        const feature = (name: string) => row[FEATURES.indexOf(name)] as number;
        expect(score).toBeCloseTo(feature('diffusion') + 0.2 * feature('popularityFast'), 9);
      });
    }
  });

  test('a startup has the values of its properties given as criteria', () => {
    const data = plantedData(4, { companies: 30 });
    const timeline = createTimeline(data);
    data.startups.forEach(({ tags, country }, startup) => {
      const byRecord = resolveQuery(timeline, { startup }, DATA_DAYS);
      expect(byRecord).toEqual(resolveQuery(timeline, { startup, tags, country }, DATA_DAYS));
    });
  });

  test('the highest scores are those of a sorted list', () => {
    const random = new Random(5);
    for (let k = 0; k < 300; k++) {
      const scores = Float64Array.from({ length: random.below(40) }, () =>
        random.below(6) === 0 ? Number.NEGATIVE_INFINITY : random.below(12),
      );
      const sorted = [...scores.keys()]
        .filter((at) => scores[at] !== Number.NEGATIVE_INFINITY)
        .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
      const count = random.below(45);
      expect(highest(scores, count)).toEqual(sorted.slice(0, count));
    }
  });
});

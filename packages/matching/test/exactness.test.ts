import { describe, expect, test } from '@jest/globals';
import { FEATURES, fillFeatures, quickScores } from '../src/features/features.ts';
import { createHistory, positionsByValue } from '../src/history/history.ts';
import { resolveQuery } from '../src/history/query.ts';
import { Random } from '../src/history/random.ts';
import { createTimeline } from '../src/history/timeline.ts';
import { highest } from '../src/rank/highest.ts';
import { DATA_DAYS, plantedData } from './planted-data.ts';

describe('quick computations', () => {
  test('quick scores are those of the features that they add up', () => {
    const data = plantedData(6, { companies: 200 });
    const timeline = createTimeline(data);
    const history = createHistory(timeline, DATA_DAYS);
    const positions = positionsByValue(history);
    const row = new Float64Array(FEATURES.length);
    const queries = [
      {},
      { tags: ['games', 'health'] },
      { startup: 3 },
      { startup: 8, country: 'DE' },
    ];
    for (const query of queries) {
      const resolved = resolveQuery(timeline, query, history.cut);
      quickScores(history, positions, resolved).forEach((score, investor) => {
        fillFeatures(history, resolved, investor, row);
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

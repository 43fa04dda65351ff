import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bootstrap } from '../src/evaluate/bootstrap.ts';
import { metricsOf } from '../src/evaluate/metrics.ts';

const log = Math.log2;

describe('the figures of a ranking', () => {
  test.each([
    ['the first of one', [7, 1, 2], [7], [1, 1, 1, 1]],
    ['the third of one', [1, 2, 7], [7], [1, 1, 1 / 3, 1 / log(4)]],
    ['none', [1, 2, 3], [9], [0, 0, 0, 0]],
    ['two of three', [5, 1, 6], [5, 6, 9], [2 / 3, 2 / 3, 1, 1.5 / (1 + 1 / log(3) + 0.5)]],
    ['the eleventh', Array.from({ length: 60 }, (_, k) => k), [10, 55], [0, 1 / 2, 1 / 11, 0]],
  ])('with %s found', (_, ranking, relevant, [recall10, recall50, mrr, ndcg10]) => {
    const found = metricsOf(ranking, new Set(relevant));
    expect(found.recall10).toBeCloseTo(recall10 as number, 12);
    expect(found.recall50).toBeCloseTo(recall50 as number, 12);
    expect(found.mrr).toBeCloseTo(mrr as number, 12);
    expect(found.ndcg10).toBeCloseTo(ndcg10 as number, 12);
  });

  test('are from 0 to 1, and best when the relevant come first', () => {
    const ranking = fc.uniqueArray(fc.nat(80), { minLength: 1, maxLength: 70 });
    fc.assert(
      fc.property(ranking, fc.nat(20), (items, count) => {
        const relevant = new Set([...items].sort((a, b) => a - b).slice(0, count + 1));
        const found = metricsOf(items, relevant);
        for (const value of Object.values(found)) expect(value >= 0 && value <= 1).toBe(true);
        const first = items.toSorted((a, b) => Number(relevant.has(b)) - Number(relevant.has(a)));
        const best = metricsOf(first, relevant);
        expect(best.ndcg10).toBeCloseTo(1, 12);
        expect(best.mrr).toBe(1);
        expect(best.recall10).toBeGreaterThanOrEqual(found.recall10);
      }),
    );
  });
});

describe('a bootstrap interval', () => {
  test('surrounds the mean, is equal for equal seeds, and narrow for equal values', () => {
    const values = Array.from({ length: 200 }, (_, k) => (k * 37) % 100);
    const { mean, low, high } = bootstrap(values, 1);
    expect(mean).toBeCloseTo(49.5, 9);
    // Four standard errors at most to each side.
    const error = Math.sqrt(833.25 / 200);
    expect(mean - low).toBeGreaterThan(error);
    expect(mean - low).toBeLessThan(4 * error);
    expect(high - mean).toBeGreaterThan(error);
    expect(bootstrap(values, 1)).toEqual({ mean, low, high });
    expect(bootstrap([3, 3, 3], 1)).toEqual({ mean: 3, low: 3, high: 3 });
    expect(bootstrap([], 1)).toEqual({ mean: 0, low: 0, high: 0 });
  });
});

import { describe, expect, test } from '@jest/globals';
import { StatisticsCopy } from '../../src/postgres/column-statistics.ts';

describe('the copy of statistics', () => {
  test.each<[string, () => Promise<{ rows: object[] }>]>([
    ['failed', () => Promise.reject(new Error('away'))],
    ['found none', async () => ({ rows: [] })],
  ])('is read again soon if a read %s', async (_, first) => {
    let reads = 0;
    const row = { name: 't.c', rows: 5, nulls: 0, values: [], shares: [], bounds: [] };
    const copy = new StatisticsCopy(() => {
      reads += 1;
      return reads === 1 ? first() : Promise.resolve({ rows: [row] });
    });
    await copy.refresh().catch(() => undefined);
    const { now } = performance;
    performance.now = () => now.call(performance) + 10_001;
    try {
      expect(copy.of('t', 'c')).toBeUndefined();
      await new Promise(setImmediate);
      expect(copy.of('t', 'c')).toMatchObject({ rows: 5 });
    } finally {
      performance.now = now;
    }
  });
});

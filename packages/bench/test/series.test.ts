import { expect, test } from '@jest/globals';
import { trendOf } from '../src/soak/series.ts';

const MINUTES = 25;
const BOUND = { share: 0.1, amount: 5 };
const trendBy = (valueAt: (minute: number) => number, of = BOUND) =>
  trendOf({
    name: 'memory',
    points: Array.from({ length: MINUTES }, (_, minute) => [minute, valueAt(minute)] as const),
    bound: of,
  });

test.each<[string, (minute: number) => number, number, boolean]>([
  ['constant', () => 100, 0, true],
  ['decreasing', (minute) => 100 - minute, -24, true],
  ['growing within the share of the median', (minute) => 100 + minute / 4, 6, true],
  ['growing beyond it', (minute) => 100 + minute, 24, false],
  ['growing within the amount', (minute) => minute / 6, 4, true],
  ['growing beyond the amount, from 0', (minute) => minute / 4, 6, false],
  ['constant with one outlier', (minute) => (minute === MINUTES - 1 ? 10_000 : 100), 0, true],
  ['growing with one outlier', (minute) => (minute === 3 ? 0 : 100 + minute), 24, false],
  ['alternating', (minute) => 100 + (minute % 2), 0, true],
])('a series that is %s', (_, valueAt, growth, isFlat) => {
  const trend = trendBy(valueAt);
  expect(trend.growth).toBeCloseTo(growth, 6);
  expect(trend.slopePerHour).toBeCloseTo((growth / (MINUTES - 1)) * 60, 6);
  expect(trend.isFlat).toBe(isFlat);
});

test('of a series that a job resets, the lowest values of windows count', () => {
  const reset = { ...BOUND, resetMinutes: 5 };
  const sawtooth = (minute: number) => 100 * (minute % 5);
  expect(trendBy(sawtooth, reset)).toMatchObject({ growth: 0, isFlat: true });
  expect(trendBy((minute) => sawtooth(minute) + minute, reset).isFlat).toBe(false);
  // No job resets it.
  expect(trendBy((minute) => 100 * minute, reset).isFlat).toBe(false);
});

test('a trend states the first and the last value, and the bound in their unit', () => {
  expect(trendBy((minute) => 200 + minute)).toMatchObject({
    first: 200,
    last: 224,
    growthMax: expect.closeTo(21.2),
  });
});

test('one point has no trend', () => {
  expect(() => trendOf({ name: 'memory', points: [[1, 1]], bound: BOUND })).toThrow(RangeError);
});

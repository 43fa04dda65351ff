import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { DAY_MS, dateOf, dayOf, instantOf } from '../src/days.ts';
import { permuted, quantileAt, Random, weighted, weightedWords } from '../src/random.ts';
import { arrivalDay, datasetSpec, HISTORY_DAYS, positionsOn } from '../src/spec.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('random numbers', () => {
  test('are equal for equal purposes and differ otherwise', () => {
    const draw = (...purpose: (number | string)[]): string => {
      const random = new Random(...purpose);
      return `${random.unit()} ${random.unit()} ${random.unit()}`;
    };
    expect(draw(1, 'fund', 7)).toBe(draw(1, 'fund', 7));
    const others = [
      draw(2, 'fund', 7),
      draw(1, 'funds', 7),
      draw(1, 'fund', 8),
      draw(1, 7, 'fund'),
    ];
    expect(new Set([draw(1, 'fund', 7), ...others]).size).toBe(5);
  });

  test.each([0, 1])('are uniform: number %i of successive indexes, in sixteen bins', (skipped) => {
    const bins = new Array<number>(16).fill(0);
    for (let index = 0; index < 160_000; index += 1) {
      const random = new Random(1, 'startup', index);
      for (let drawn = 0; drawn < skipped; drawn += 1) random.unit();
      const bin = random.below(16);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    // Chi-squared with 15 degrees of freedom: one seed in a thousand exceeds 37.7.
    const chiSquared = bins.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chiSquared).toBeLessThan(37.7);
  });

  test('stay within their bounds', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 2 ** 31 }), (seed, limit) => {
        const random = new Random(seed);
        const level = random.quantile([3, 5, 5, 9]);
        for (const drawn of [random.below(limit), random.skewedBelow(limit)]) {
          if (!Number.isInteger(drawn) || drawn < 0 || drawn >= limit) return false;
        }
        return level >= 3 && level <= 9 && quantileAt([3, 9], 1) === 9;
      }),
      runs(100),
    );
  });

  test('draw by weight', () => {
    for (const draw of [
      weighted(Object.entries({ often: 3, seldom: 1, never: 0 })),
      weightedWords('often=3|seldom=1|never=0'),
    ]) {
      const random = new Random(1);
      const drawn = Array.from({ length: 40_000 }, () => draw(random));
      expect(drawn.filter((value) => value === 'often').length / drawn.length).toBeCloseTo(0.75, 1);
      expect(drawn).not.toContain('never');
    }
  });

  test('permute every position to another one', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 3000 }), (seed, size) => {
        const positions = Array.from({ length: size }, (_, index) => permuted(index, size, seed));
        expect(new Set(positions).size).toBe(size);
        expect([Math.min(...positions), Math.max(...positions)]).toEqual([0, size - 1]);
      }),
      runs(50),
    );
  });
});

test('days are written and read as dates', () => {
  const day = dayOf('2024-02-29');
  expect([dateOf(day), dateOf(day + 1)]).toEqual(['2024-02-29', '2024-03-01']);
  expect(Date.parse(instantOf(day, 86_399))).toBe((day + 1) * DAY_MS - 1000);
});

test.each(['2026-1-1', '2026-02-30', 'today', ''])('"%s" is not a date', (text) => {
  expect(() => dayOf(text)).toThrow(RangeError);
});

describe('the history', () => {
  test('has each of the events that are spread over it on one day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), (count) => {
        const spec = datasetSpec({ today: '2026-01-01' });
        const positions: number[] = [];
        for (let day = spec.historyDay - 3; day < spec.today + 3; day += 1) {
          positions.push(...positionsOn(spec, day, count));
        }
        expect(positions).toEqual(Array.from({ length: count }, (_, position) => position));
      }),
      runs(30),
    );
  });

  test('has the arrivals of new startups on the days that they are computed for', () => {
    const spec = datasetSpec({ startups: 1000, today: '2026-01-01' });
    const { base, all } = spec.startup;
    expect(arrivalDay(spec, 'startup', base - 1)).toBeNull();
    expect(arrivalDay(spec, 'startup', base)).toBe(spec.historyDay);
    const last = arrivalDay(spec, 'startup', all - 1) ?? 0;
    expect([...positionsOn(spec, last, all - base)]).toEqual([all - base - 1]);
    expect(last).toBeGreaterThan(spec.today - HISTORY_DAYS / 10);
  });

  test.each([
    [{ startups: 0 }, 'startups'],
    [{ startups: 4_000_001 }, 'startups'],
    [{ startups: 1.5 }, 'startups'],
    [{ seed: -1 }, 'seed'],
    [{ seed: 2 ** 32 }, 'seed'],
  ])('is not generated with %j: the error names %s', (options, name) => {
    expect(() => datasetSpec({ today: '2026-01-01', ...options })).toThrow(name);
  });
});

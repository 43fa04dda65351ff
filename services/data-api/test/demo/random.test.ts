import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dateText, dayMs, dayOf, instantText, yearOf } from '../../src/demo/calendar.ts';
import { arrivalDay, firstOn, historyDays, planWorld, spread } from '../../src/demo/plan.ts';
import { Random, shuffled, streams, Weighted } from '../../src/demo/random.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('streams of numbers', () => {
  test('are the same for the same record and differ between records, kinds and seeds', () => {
    const draw = (seed: number, kind: 1 | 2, index: number, part: number): string => {
      const random = new Random(seed, kind, index, part);
      return `${random.uint32()} ${random.uint32()} ${random.uint32()}`;
    };
    expect(draw(1, 1, 7, 0)).toBe(draw(1, 1, 7, 0));
    const others = [draw(2, 1, 7, 0), draw(1, 2, 7, 0), draw(1, 1, 8, 0), draw(1, 1, 7, 1)];
    expect(new Set([draw(1, 1, 7, 0), ...others]).size).toBe(5);
  });

  test('spread evenly: first numbers of neighbouring records fill sixteen bins alike', () => {
    const bins = new Array<number>(16).fill(0);
    for (let index = 0; index < 160_000; index += 1) {
      const bin = new Random(1, streams.startup, index).below(16);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    // Chi-squared with 15 degrees of freedom: 37.7 is passed once in a thousand seeds.
    const chiSquared = bins.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chiSquared).toBeLessThan(37.7);
  });

  test('stay within their bounds', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 2 ** 31 }), (seed, limit) => {
        const random = new Random(seed, streams.fund, 0);
        const drawn = random.below(limit);
        const level = random.quantile([3, 5, 5, 9]);
        return Number.isInteger(drawn) && drawn >= 0 && drawn < limit && level >= 3 && level <= 9;
      }),
    );
  });

  test('draw by weight', () => {
    const table = new Weighted([
      ['often', 3],
      ['seldom', 1],
      ['never', 0],
    ] as const);
    const random = new Random(1, streams.startup, 0);
    const drawn = Array.from({ length: 40_000 }, () => table.draw(random));
    expect(drawn.filter((value) => value === 'often').length / drawn.length).toBeCloseTo(0.75, 1);
    expect(drawn).not.toContain('never');
  });

  test('a shuffle takes every place exactly once', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 3000 }), (seed, size) => {
        const places = Array.from({ length: size }, (_, index) => shuffled(seed, 1, index, size));
        expect(new Set(places).size).toBe(size);
        expect(Math.min(...places)).toBe(0);
        expect(Math.max(...places)).toBe(size - 1);
      }),
      { numRuns: 50 },
    );
  });
});

describe('days', () => {
  test('are written as the Date object writes them, over four centuries', () => {
    fc.assert(
      fc.property(fc.integer({ min: -60_000, max: 90_000 }), (day) => {
        const expected = new Date(day * dayMs).toISOString();
        expect(dateText(day)).toBe(expected.slice(0, 10));
        expect(yearOf(day)).toBe(Number(expected.slice(0, 4)));
        expect(dayOf(dateText(day))).toBe(day);
        expect(Date.parse(instantText(day, 86_399))).toBe((day + 1) * dayMs - 1000);
      }),
    );
  });

  test.each(['2026-1-1', '2026-02-30', 'today', ''])('"%s" is no day', (text) => {
    expect(() => dayOf(text)).toThrow(RangeError);
  });
});

describe('the plan', () => {
  test('spreads events over the history so that each is found on its own day only', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), (count) => {
        const plan = planWorld({ today: '2026-01-01' });
        let found = 0;
        for (let day = plan.historyDay - 3; day < plan.today + 3; day += 1) {
          const end = firstOn(plan, day + 1, count);
          for (let at = firstOn(plan, day, count); at < end; at += 1) {
            if (spread(plan, at, count) === day) found += 1;
          }
        }
        expect(found).toBe(count);
      }),
      { numRuns: 30 },
    );
  });

  test('lets startups arrive within the history', () => {
    const plan = planWorld({ startups: 1000, today: '2026-01-01' });
    const days = [plan.baseStartups, plan.startups - 1].map((index) => arrivalDay(plan, index));
    expect(days[0]).toBe(plan.historyDay);
    expect(days[1]).toBeGreaterThan(plan.today - historyDays / 10);
    expect(days[1]).toBeLessThan(plan.today);
  });

  test.each([
    [{ startups: 0 }, 'startups'],
    [{ startups: 4_000_001 }, 'startups'],
    [{ startups: 1.5 }, 'startups'],
    [{ seed: -1 }, 'seed'],
    [{ seed: 2 ** 32 }, 'seed'],
  ])('refuses %j, naming %s', (options, name) => {
    expect(() => planWorld({ today: '2026-01-01', ...options })).toThrow(name);
  });
});

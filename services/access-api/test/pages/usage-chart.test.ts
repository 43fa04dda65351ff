import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SERIES_MAX, usageChart } from '../../src/pages/usage-chart.ts';

const someDays = fc.array(
  fc.record({
    day: fc.integer({ min: 1, max: 28 }),
    endpoint: fc.constantFrom(...Array.from({ length: 9 }, (_, i) => `/endpoint-${i}`)),
    charged: fc.integer({ min: 1, max: 1_000_000 }),
  }),
  { minLength: 1, maxLength: 60 },
);

const numbers = (markup: string, attribute: string) =>
  [...markup.matchAll(new RegExp(`<rect[^>]*\\s${attribute}="([^"]+)"`, 'g'))].map(([, n]) =>
    Number(n),
  );

test('the chart draws every credit once, inside its frame, in at most six colours', () => {
  fc.assert(
    fc.property(someDays, fc.integer({ min: 1, max: 1_000_000 }), (days, allowance) => {
      const { markup } = usageChart({ period: 202602, days, allowance });
      const drawn = [...markup.matchAll(/, ([\d,]+) credits?<\/title>/g)].map(([, text = '']) =>
        Number(text.replaceAll(',', '')),
      );
      const sum = days.reduce((all, { charged }) => all + charged, 0);
      expect(drawn.reduce((all, credits) => all + credits, 0)).toBe(sum);
      const tops = numbers(markup, 'y');
      const heights = numbers(markup, 'height');
      expect(Math.min(...tops)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...tops.map((top, i) => top + (heights[i] ?? 0)))).toBeLessThanOrEqual(
        100.01,
      );
      const colours = new Set(
        [...markup.matchAll(/class="(series-\d+)"/g)].map(([, name]) => name),
      );
      expect(colours.size).toBeLessThanOrEqual(SERIES_MAX);
      expect(markup).toContain('Allowance, used evenly');
    }),
  );
});

test('a line marks even use of the allowance where it is near the columns', () => {
  const days = [{ day: 1, endpoint: '/startups', charged: 40 }];
  expect(usageChart({ period: 202602, days, allowance: 500 }).markup).toContain(
    '<line class="pace"',
  );
  const far = usageChart({ period: 202602, days, allowance: 1_000_000 }).markup;
  expect(far).not.toContain('<line');
  expect(far).toContain('35,714 credits a day (above this scale)');
});

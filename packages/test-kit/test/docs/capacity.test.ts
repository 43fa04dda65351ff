import { describe, expect, test } from '@jest/globals';
import { read } from './repository.ts';

const SIGNS = new Set(['+', '×', '÷']);

/** The value of a computation such as `1,000 × 15 ÷ 5 + 2`, from left to right, products first. */
function resultOf(computation: string): number {
  const words = computation.split(' ').filter((word) => word !== '');
  const unknown = words.filter((word) => !SIGNS.has(word) && !/^[\d,]+(\.\d+)?$/.test(word));
  if (unknown.length > 0) throw new Error(`${computation}: ${unknown.join(' ')}`);
  return computation
    .replaceAll(',', '')
    .split(' + ')
    .map((product) =>
      product
        .split(' × ')
        .map((quotient) =>
          quotient
            .split(' ÷ ')
            .map(Number)
            .reduce((a, b) => a / b),
        )
        .reduce((a, b) => a * b),
    )
    .reduce((a, b) => a + b);
}

const rows = [
  ...read('docs/capacity.md').matchAll(/^\| (.+) \| (.+[+×÷].+) \| ([\d.,]+) \| .+ \|$/gm),
];

describe('the arithmetic of docs/capacity.md', () => {
  test.each([
    ['1,000 × 15 ÷ 5', 3_000],
    ['0.5 × 4 + 0.5 × 2', 3],
    ['12 ÷ 3 × 2', 8],
    ['100 ÷ 5 ÷ 2', 10],
  ])('is computed, as %s', (computation, value) => {
    expect(resultOf(computation)).toBeCloseTo(value);
  });

  test('agrees with its results, as they are rounded', () => {
    const wrong = rows.filter(([, , computation = '', result = '']) => {
      const value = Number(result.replaceAll(',', ''));
      return Math.abs(resultOf(computation) / value - 1) > 0.01;
    });
    expect(wrong.map(([row]) => row)).toEqual([]);
    expect(rows.length).toBeGreaterThan(25);
  });
});

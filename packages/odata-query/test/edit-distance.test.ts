import { expect, test } from '@jest/globals';
import { editDistance } from '@vcds/odata-query';
import fc from 'fast-check';

const FAR = 100;
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '中'), maxLength: 12 });

test.each([
  ['kitten', 'kitten', 0],
  ['kitten', 'kittens', 1],
  ['kitten', 'itten', 1],
  ['kitten', 'mitten', 1],
  ['kitten', 'iktten', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
  ['', 'abc', 3],
])('%s and %s are %d slips apart', (a, b, slips) => {
  expect(editDistance(a, b, FAR)).toBe(slips);
});

test('it is 0 for the same text only, the same both ways, and at most the longer length', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const slips = editDistance(a, b, FAR);
      expect(slips === 0).toBe(a === b);
      expect(editDistance(b, a, FAR)).toBe(slips);
      expect(slips).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(slips).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
    }),
  );
});

test('beyond the bound it is one more than the bound, whatever the distance', () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 5 }), (a, b, bound) => {
      expect(editDistance(a, b, bound)).toBe(Math.min(editDistance(a, b, FAR), bound + 1));
    }),
  );
});

test('texts of any length are compared without fault', () => {
  expect(editDistance('a'.repeat(5_000), 'a'.repeat(5_000), 2)).toBeGreaterThanOrEqual(0);
  expect(editDistance('a'.repeat(499), `${'a'.repeat(498)}b`, 2)).toBe(1);
});

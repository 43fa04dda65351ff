import { expect, test } from '@jest/globals';
import { askedFor, compactProbes, lookupWords, typosOf, WordWeights } from '@vcds/name-search';
import { editDistance } from '@vcds/odata-query';
import fc from 'fast-check';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 2, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 2, maxLength: 24 }),
);

/** One change of a text at a position. */
const change = fc.oneof(
  fc.constant((text: string, at: number) => text.slice(0, at) + text.slice(at + 1)),
  fc.constantFrom(...LETTERS).map((letter) => (text: string, at: number) => {
    return text.slice(0, at) + letter + text.slice(at);
  }),
  fc.constantFrom(...LETTERS).map((letter) => (text: string, at: number) => {
    return text.slice(0, at) + letter + text.slice(at + 1);
  }),
  fc.constant((text: string, at: number) => {
    return text.slice(0, at) + text.slice(at + 1, at + 2) + text.charAt(at) + text.slice(at + 2);
  }),
);

test('the texts at one typo are those at distance 1, each once', () => {
  fc.assert(
    fc.property(word, fc.nat(), change, (text, position, apply) => {
      const typos = typosOf(text);
      const known = new Set(typos);
      expect(known.size).toBe(typos.length);
      expect(typos.filter((typo) => editDistance(text, typo, 1) !== 1)).toEqual([]);
      const changed = apply(text, position % (text.length + 1));
      expect(known.has(changed)).toBe(changed !== text);
    }),
    { numRuns: 500 },
  );
});

test.each(['', 'a', 'a'.repeat(25)])('%j has none', (text) => {
  expect(typosOf(text)).toEqual([]);
});

test('in other scripts, letters are left out and swapped', () => {
  expect(typosOf('яну').toSorted()).toEqual(['ну', 'яу', 'ян', 'няу', 'яун'].toSorted());
});

test('no text to look up is empty or has a line break', () => {
  const character = fc.oneof(
    fc.constantFrom('a', 'B', ' ', '\n', '\r\n', '\u2028', '*', '.'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
      const { name } = askedFor({ q: characters.join('') });
      if (name === null) return;
      const { rare, general } = lookupWords(name, new WordWeights());
      const texts = [...compactProbes(name), ...typosOf(name.compact), ...rare, ...general];
      expect(texts.filter((text) => text === '' || text.includes('\n'))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

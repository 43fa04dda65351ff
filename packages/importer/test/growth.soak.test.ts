import { expect, test } from '@jest/globals';
import { growth } from '@vcds/test-kit';
import { readAmount } from '../src/mapping/amount/read-amount.ts';
import { readDigits } from '../src/mapping/amount/read-digits.ts';
import { compilePattern } from '../src/mapping/pattern.ts';
import { cleanSite } from '../src/normalise/site.ts';
import { cleanSpelling, cleanText } from '../src/normalise/text.ts';

// Measured time: on a quiet machine, in soak only.

const silent = () => undefined;

test.each<[string, (text: string) => unknown, (length: number) => string]>([
  ['a site with blanks', (text) => cleanSite(text, 'f', silent), (n) => `a${' '.repeat(n)}b`],
  ['a site with commas', (text) => cleanSite(text, 'f', silent), (n) => `a${',;'.repeat(n)}b`],
  ['a site with dots', (text) => cleanSite(text, 'f', silent), (n) => `a${'.'.repeat(n)}b`],
  [
    'a site with labels',
    (text) => cleanSite(text, 'f', silent),
    (n) => `http://${'a.'.repeat(n)}!`,
  ],
  [
    'a text with zero-width spaces',
    (text) => cleanText(text, 'f', silent),
    (n) => `a${'\u200b'.repeat(n)}b`,
  ],
  [
    'a spelling with blanks',
    (text) => cleanSpelling(text, 'f', silent),
    (n) => `a${' '.repeat(n)}b`,
  ],
  ['a number', readDigits, (n) => `${'1'.repeat(n)}x`],
  ['an amount', (text: string) => readAmount(text), (n) => `1${' '.repeat(n)}!`],
])('the work on %s grows as its length does', (_what, work, textOf) => {
  // Where it grows with the square, twice as long is four times the work.
  expect(growth(200_000, textOf, work)).toBeLessThan(3);
});

test.each(['^(a+)+$', '(a|a)*b', '(.*)(.*)(.*)x', '^(?<City>[^,]*)*,$'])(
  'the work of the pattern %s grows as the text does',
  (source) => {
    const find = compilePattern(source);
    const textOf = (length: number) => `${'a'.repeat(length)}!`;
    expect(growth(60_000, textOf, find)).toBeLessThan(3);
  },
);

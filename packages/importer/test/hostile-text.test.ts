import { describe, expect, test } from '@jest/globals';
import { growth } from '@vcds/test-kit';
import { compilePattern } from '../src/mapping/pattern.ts';
import { readMoney, readNumber } from '../src/mapping/read-number.ts';
import { cleanSite } from '../src/normalise/site.ts';
import { cleanSpelling, cleanText } from '../src/normalise/text.ts';
import { linesOf, startup } from './mapping-support.ts';

const silent = () => undefined;

describe('the work on a text grows as its length does', () => {
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
    ['a number', readNumber, (n) => `${'1'.repeat(n)}x`],
    ['an amount', readMoney, (n) => `1${' '.repeat(n)}!`],
  ])('%s', (_what, work, textOf) => {
    // Where it grows with the square, twice as long is four times the work.
    expect(growth(200_000, textOf, work)).toBeLessThan(3);
  });

  test.each(['^(a+)+$', '(a|a)*b', '(.*)(.*)(.*)x', '^(?<City>[^,]*)*,$'])(
    'for the pattern %s of a mapping',
    (source) => {
      const pattern = compilePattern(source);
      const textOf = (length: number) => `${'a'.repeat(length)}!`;
      expect(pattern.find(textOf(10))).toBeUndefined();
      expect(growth(60_000, textOf, (text) => pattern.find(text))).toBeLessThan(3);
    },
  );
});

describe('a pattern of a mapping', () => {
  test('gives its first group, else all it matches, and named groups', () => {
    expect(compilePattern('b(.)').find('abcb')).toEqual({ all: 'bc', first: 'c', named: {} });
    expect(compilePattern('^(?<City>[^,]+)(, (?<Region>.+))?$').find('Łódź')).toEqual({
      all: 'Łódź',
      first: 'Łódź',
      named: { City: 'Łódź', Region: undefined },
    });
    expect(compilePattern('x').find('abc')).toBeUndefined();
  });

  test('is rejected if its work would be unbounded', async () => {
    const fields = { Name: { column: 'name', match: '(?=a)(a+)\\1' } };
    await expect(linesOf(startup(fields), 'id,name\n1,a\n')).rejects.toThrow(/match/u);
  });
});

test('of two sites in a cell the first is taken', () => {
  const urls = ['a.com, https://b.com', 'a.com\n b.com', 'a.com ;\nhttp://b.com'].map(
    (text) => cleanSite(text, 'f', silent)?.url,
  );
  expect(urls).toEqual(['http://a.com', 'http://a.com', 'http://a.com']);
});

test('a text loses blanks and zero-width characters at its ends, in any order', () => {
  expect(cleanText('\u200b \ufeffa b\u200b \u2060', 'f', silent)).toBe('a b');
});

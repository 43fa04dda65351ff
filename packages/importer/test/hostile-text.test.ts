import { describe, expect, test } from '@jest/globals';
import { compilePattern } from '../src/mapping/pattern.ts';
import { cleanSite } from '../src/normalise/site.ts';
import { cleanText } from '../src/normalise/text.ts';
import { linesOf, startup } from './mapping-support.ts';

const silent = () => undefined;

describe('a pattern of a mapping', () => {
  test('gives its first group, else all it matches, and named groups', () => {
    expect(compilePattern('b(.)')('abcb')).toEqual({ all: 'bc', first: 'c', named: {} });
    expect(compilePattern('^(?<City>[^,]+)(, (?<Region>.+))?$')('Łódź')).toEqual({
      all: 'Łódź',
      first: 'Łódź',
      named: { City: 'Łódź', Region: undefined },
    });
    expect(compilePattern('x')('abc')).toBeUndefined();
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

import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { quote } from '../src/errors/quote.ts';
import { compilePattern } from '../src/mapping/pattern.ts';
import { cleanSite } from '../src/normalise/site.ts';
import { cleanText } from '../src/normalise/text.ts';
import { linesOf, mapped, startup } from './mapping-support.ts';

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

test('a value in a message is not cut within a surrogate pair', () => {
  for (const before of ['', 'x']) {
    expect(quote(before + '🚀'.repeat(60))).toMatch(/^"x?(?:🚀){37,38}…$/u);
  }
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

describe('a file in an encoding other than UTF-8', () => {
  const units = (text: string) => Buffer.from(text, 'utf16le');
  const good = 'id,name\n1,a\n';
  test.each([
    ['ascii', Buffer.from(`${good}2,Caf\u00e9\n`, 'latin1')],
    ['windows-1252', Buffer.from(`${good}2,b\u0081\n`, 'latin1')],
    ['shift_jis', Buffer.from(`${good}2,b\u00ff\n`, 'latin1')],
    ['gbk', Buffer.from(`${good}2,b\u00ff\u0080\n`, 'latin1')],
    ['utf16le', units(`${good}2,\ud800b\n`)],
    ['utf16le', units(`${good}2,\ud800`)],
    ['utf16le', units(`${good}2,\ufffd\n`)],
    ['utf16le', units(`${good}2,Ω`).subarray(0, -1)],
    ['UTF-16BE', units(`${good}2,Ω`).swap16().subarray(0, -1)],
    ['ucs2', units(`${good}2,Ω`).subarray(0, -1)],
    ['utf-16', units(`${good}2,Ω`).subarray(0, -1)],
    ['utf-16be', units(`${good}2,b\udc00\n`).swap16()],
  ])('of %s is rejected with the line of an invalid character', async (encoding, file) => {
    const reason = `The file is not ${encoding} on line 3: correct "encoding" in the mapping test.json.`;
    const mapping = { ...startup({ Name: '{name}' }), encoding };
    await expect(mapped(mapping, file)).rejects.toThrow(reason);
  });

  test.each(['utf16le', 'utf-16be', 'utf-32le', 'gb18030'])(
    'of %s is read whole',
    async (encoding) => {
      const names = ['𝄞', 'a𝄞', 'ab𝄞𝄞', '日本𠀀'];
      const rows = names.map((name, id) => JSON.stringify({ id, name }));
      const mapping = { format: 'jsonl', encoding, ...startup({ Name: '{name}' }) };
      const file = iconv.encode(`${rows.join('\n')}\n`, encoding);
      expect(await linesOf(mapping, file)).toEqual(
        names.map((Name, key) => ({ key: String(key), Name })),
      );
    },
  );
});

// Tests docs/spec/addresses.md 1.4.
// Tests docs/spec/limits.md 12.3.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../src/errors.ts';
import { readParameters, readQueryString, URL_BYTES_MAX } from '../src/parameters.ts';

const read = (query: string) => Object.fromEntries(readParameters({ url: `/v2/funds?${query}` }));

function errorOf(query: string): ApiError {
  try {
    read(query);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`${query} was read`);
}

describe('readParameters', () => {
  test('composes decomposed letters to NFC, and does not fold compatibility forms', () => {
    const text = 'Zu\u0308rich \uff21';
    expect(read(`city=${encodeURIComponent(text)}`)).toEqual({ city: 'Z\u00fcrich \uff21' });
  });

  test('decodes every name and value that was percent-encoded', () => {
    const text = fc
      .string({ unit: 'grapheme' })
      .filter((s) => !s.includes('\0'))
      .map((s) => s.normalize('NFC'));
    const name = text.filter((s) => s !== '' && s !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(name, text), (parameters) => {
        const query = Object.entries(parameters)
          .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
          .join('&');
        expect(read(query)).toEqual({ ...parameters });
      }),
    );
  });

  test('$filter and %24filter are the same name, + is a space, case counts', () => {
    expect(read("%24filter=City+eq+'Bonn'&Top=1&top=2")).toEqual({
      $filter: "City eq 'Bonn'",
      Top: '1',
      top: '2',
    });
  });

  test('reads a name without =, an empty value, a value with =, and ignores empty pairs', () => {
    expect(read('a&b=&c=d=e&&')).toEqual({ a: '', b: '', c: 'd=e' });
    expect(Object.fromEntries(readParameters({ url: '/v2/funds' }))).toEqual({});
    expect(Object.fromEntries(readParameters({ url: '/v2/funds?a=1#b=2' }))).toEqual({ a: '1' });
  });

  test.each([
    ['/v2/funds#?a=1', {}],
    ['/v2/funds#a?b=1#?c=2', {}],
    ['/v2/funds?a=1#?b=2', { a: '1' }],
    ['/v2/funds?#?b=2', {}],
    ['/v2/funds?a=?', { a: '?' }],
  ])('reads no parameter of the fragment of %s', (url, parameters) => {
    expect(Object.fromEntries(readParameters({ url }))).toEqual(parameters);
  });

  test('prefers the original URL to one that a router has shortened', () => {
    const request = { url: '/', originalUrl: '/v2/funds?a=1' };
    expect(readParameters(request).get('a')).toBe('1');
  });

  test('at most 100 parameters are read; errors of further ones are not reported', () => {
    const query = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join('&');
    expect(Object.keys(read(query(100)))).toHaveLength(100);
    const { parameters, error } = readQueryString({ url: `/v2?${query(101)}&%` });
    expect(parameters.size).toBe(100);
    expect(error).toMatchObject({ code: 'bad_parameter', details: { parameter: undefined } });
    expect(error?.message).toContain('at most 100 parameters');
  });

  test('a duplicate parameter is bad_parameter, encoded or not', () => {
    expect(errorOf('$top=1&%24top=1')).toMatchObject({
      code: 'bad_parameter',
      details: { parameter: '$top' },
    });
  });

  test.each([
    ['invalid percent-encoding', 'q=%E0%A4'],
    ['a lone percent sign', 'q=100%'],
    ['a surrogate in UTF-8', 'q=%ED%A0%80'],
    ['an overlong NUL', 'q=%C0%80'],
    ['a NUL character', 'q=a%00b'],
    ['a NUL character in a name', 'a%00b=1'],
  ])('%s is bad_parameter', (_what, query) => {
    expect(errorOf(query).code).toBe('bad_parameter');
  });

  test('an invalid parameter does not hide the others', () => {
    const { parameters, error } = readQueryString({ url: '/?a=%zz&b=1&b=2&c=3' });
    expect(Object.fromEntries(parameters)).toEqual({ b: '1', c: '3' });
    expect(error).toMatchObject({ code: 'bad_parameter', details: { parameter: 'a' } });
  });

  test('the error of a duplicate token does not contain its value', () => {
    const error = errorOf('token=pk_live_abc&token=pk_live_def');
    expect(JSON.stringify([error.message, error.details])).not.toContain('abc');
  });

  test('a URL of 128 KiB is valid, one more byte is url_too_long', () => {
    const path = '/v2/funds?q=';
    const longest = path + 'x'.repeat(URL_BYTES_MAX - path.length);
    expect(readParameters({ url: longest }).get('q')).toHaveLength(URL_BYTES_MAX - path.length);
    expect(() => readParameters({ url: `${longest}x` })).toThrow(
      expect.objectContaining({ code: 'url_too_long' }),
    );
  });
});

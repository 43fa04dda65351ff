// Tests docs/spec/authentication.md 2.1.
import { describe, expect, test } from '@jest/globals';
import { digestOf, extractCredential, generateApiKey } from '../src/index.ts';

const KEY = generateApiKey();
const OTHER = generateApiKey();
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln';

type Headers = readonly (readonly [string, string])[];

function extract(headers: Headers, parameters: Record<string, string> = {}) {
  return extractCredential({ rawHeaders: headers.flat() }, new Map(Object.entries(parameters)));
}

describe('a credential is taken from', () => {
  const expected = { kind: 'key', key: KEY, digest: digestOf(KEY) };

  test.each<[string, Headers, Record<string, string>]>([
    ['X-Api-Key', [['X-Api-Key', KEY]], {}],
    ['x-api-key, whatever the case, with space around it', [['x-API-key', ` ${KEY} `]], {}],
    ['Authorization: Bearer', [['Authorization', `Bearer ${KEY}`]], {}],
    ['authorization: bearer', [['authorization', `bearer   ${KEY}`]], {}],
    ['token=', [], { token: KEY }],
    [
      'all three, when they agree',
      [
        ['X-Api-Key', KEY],
        ['Authorization', `Bearer ${KEY}`],
      ],
      { token: KEY },
    ],
    [
      'one header given twice with one value',
      [
        ['X-Api-Key', KEY],
        ['X-Api-Key', KEY],
      ],
      {},
    ],
    ['a header beside an empty token=', [['X-Api-Key', KEY]], { token: '' }],
  ])('%s', (_where, headers, parameters) => {
    expect(extract(headers, parameters)).toEqual(expected);
  });

  test('a token of the older exchange, as a bearer or token=', () => {
    expect(extract([['Authorization', `Bearer ${JWT}`]])).toEqual({ kind: 'legacy', token: JWT });
    expect(extract([], { token: JWT })).toEqual({ kind: 'legacy', token: JWT });
  });
});

describe('an invalid credential has a reason', () => {
  test.each<[string, Headers, Record<string, string>]>([
    ['nothing', [], {}],
    ['nothing in it', [['X-Api-Key', '']], { token: '' }],
    ['an empty Authorization', [['Authorization', '']], {}],
    ['a Token parameter by another name', [], { Token: KEY }],
  ])('missing: %s', (_what, headers, parameters) => {
    expect(extract(headers, parameters)).toEqual({ kind: 'invalid', reason: 'missing' });
  });

  const mistyped = `${KEY.slice(0, -1)}${KEY.endsWith('0') ? '1' : '0'}`;

  test.each<[string, Headers, Record<string, string>]>([
    ['a mistyped key', [['X-Api-Key', mistyped]], {}],
    ['a shortened key', [['X-Api-Key', KEY.slice(0, 30)]], {}],
    ['another scheme', [['Authorization', 'Basic dXNlcjpwYXNz']], {}],
    ['a bare key in Authorization', [['Authorization', KEY]], {}],
    ['two words after Bearer', [['Authorization', `Bearer ${KEY} ${KEY}`]], {}],
    ['an endless token', [], { token: `a.b.${'c'.repeat(5_000)}` }],
    [
      'two headers that differ',
      [
        ['X-Api-Key', KEY],
        ['Authorization', `Bearer ${OTHER}`],
      ],
      {},
    ],
    [
      'a header given twice that differs',
      [
        ['X-Api-Key', KEY],
        ['X-Api-Key', OTHER],
      ],
      {},
    ],
    ['header and token= that differ', [['X-Api-Key', KEY]], { token: OTHER }],
    ['a key and a token', [['X-Api-Key', KEY]], { token: JWT }],
  ])('malformed: %s', (_what, headers, parameters) => {
    const reading = extract(headers, parameters);
    expect(reading).toMatchObject({ kind: 'invalid', reason: 'malformed' });
    expect(JSON.stringify(reading)).not.toContain('pk_live_');
  });
});

import { expect, test } from '@jest/globals';
import { parseUrl } from '../src/sites/parse-url.ts';

test('a URL with Latin-1 letters is one however often it is parsed', () => {
  // Optimized, URL.canParse rejects it: this is the number of calls after which Node does that.
  const rejected = Array.from({ length: 50_000 }, () => parseUrl('http://münchen.example/')).filter(
    (url) => url?.hostname !== 'xn--mnchen-3ya.example',
  );
  expect(rejected).toHaveLength(0);
});

test.each([
  ['//b.example/x', 'http://a.example/', 'http://b.example/x'],
  ['x', new URL('http://a.example/y/'), 'http://a.example/y/x'],
  ['two words', undefined, undefined],
  ['', undefined, undefined],
  ['http://[::1', 'http://a.example/', undefined],
])('%j relative to %s is %s', (text, base, href) => {
  expect(parseUrl(text, base)?.href).toBe(href);
});

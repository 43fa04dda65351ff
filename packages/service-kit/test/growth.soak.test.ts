import { expect, test } from '@jest/globals';
import { growth } from '@vcds/test-kit';
import { bounded } from '../src/errors.ts';
import { readQueryString } from '../src/parameters.ts';
import { redact } from '../src/redact.ts';

// Measured time: on a quiet machine, in soak only.

test('the work on a query string does not grow with the number of invalid pairs', () => {
  const invalid = (pairs: number) => ({ url: `/v2?${'%&'.repeat(pairs)}` });
  expect(growth(20_000, invalid, readQueryString)).toBeLessThan(1.5);
});

test('echoed text takes the same work for any length', () => {
  const path = (length: number) => `/${'eyJ-'.repeat(length / 4)}`;
  expect(growth(65_536, path, (text) => bounded(text))).toBeLessThan(1.5);
});

/** Beginnings of secrets, and parts that may repeat within one. */
const HOSTILE = [
  'eyJ-',
  'eyJhbGci.',
  'pk_live_',
  'pk_live%5f%',
  '://a:',
  '://:',
  'token=',
  'code":"',
  'password\\":',
  'Bearer a ',
  'bearer   ',
  'authorization: ',
  'x-api-key   ',
  'Authorization=Basic ',
  ' ',
] as const;

test.each(HOSTILE)('redacting takes time in proportion to the length of repeated %j', (piece) => {
  const line = (length: number) => piece.repeat(length / piece.length);
  expect(growth(65_536, line, redact)).toBeLessThan(3);
});

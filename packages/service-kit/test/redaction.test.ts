// Tests docs/spec/operations.md 16.6.
import { describe, expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { createLogger } from '../src/logger.ts';
import { redact } from '../src/redact.ts';

const BASE62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const secret = fc
  .array(fc.constantFrom(...BASE62), { minLength: 49, maxLength: 49 })
  .map((digits) => digits.join(''));
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhYmMifQ.c2lnbmF0dXJl-_x';

test('standard output gets no listener before the first line', () => {
  const listeners = process.stdout.listenerCount('error');
  createLogger({ service: 'test', level: 'silent' }).error('not logged');
  expect(process.stdout.listenerCount('error')).toBe(listeners);
});

function logged(work: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  work(createLogger({ service: 'test', sink: { write: (line) => void lines.push(line) } }));
  return lines.join('');
}

describe('redact', () => {
  test('replaces an API key in any text', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (digits, before, after) => {
        expect(redact(`${before}pk_live_${digits}${after}`)).not.toContain(digits);
      }),
    );
  });

  test.each([
    ['a URL', `/v2/funds?token=abcDEF123456&$top=1`, 'abcDEF123456'],
    ['an encoded key', `/v2/funds?x=pk%5Flive%5Fabcd1234efgh`.replace('pk%5F', 'pk_'), 'abcd1234'],
    ['JSON', '{"token":"abcDEF123456","n":1}', 'abcDEF123456'],
    ['JSON in JSON', JSON.stringify({ body: '{"token":"abcDEF123456"}' }), 'abcDEF123456'],
    ['an emailed code', 'GET /api/v1/auth/verify?email=a@b.c&code=123456', '123456'],
    ['an emailed code in JSON', '{"code":"123456"}', '123456'],
    ['a legacy token', `token ${JWT} rejected`, 'eyJzdWIi'],
    ['a bearer header', `authorization: Bearer abcdefghijklmnopqrstuvwxyz`, 'abcdefghij'],
    ['a basic header', `{"authorization":"Basic dXNlcjpwYXNz"}`, 'dXNlcjpwYXNz'],
    ['a key header', `{"x-api-key":"some-old-style-key"}`, 'some-old-style-key'],
    ['a database URL', 'postgres://vcds:hunter2@db:5432/x', 'hunter2'],
    ['a password', 'password=hunter2', 'hunter2'],
  ])('replaces a credential in %s', (_where, text, hidden) => {
    expect(redact(text)).not.toContain(hidden);
  });

  test('replaces a truncated legacy token', () => {
    expect(redact(JWT.slice(0, 15))).not.toContain('hbGci');
    expect(redact(JWT.slice(0, 25))).not.toContain('hbGci');
  });

  test.each([
    'The $filter token at 12 is not an operator.',
    '{"code":"unknown_parameter","status":400}',
    'Send it as X-Api-Key: <key>, or as Authorization: Bearer <key>.',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'https://example.com/v2/categories/industry?entity=funds',
  ])('does not change: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('the logger', () => {
  test('writes no key, in whichever part of a line it is', () => {
    fc.assert(
      fc.property(secret, (digits) => {
        const key = `pk_live_${digits}`;
        const lines = logged((logger) => {
          logger.info({ key, nested: { list: [key] } }, `key ${key}`);
          logger.child({ url: `/v2/funds?token=${key}` }).warn('child');
          logger.error({ error: new Error(`bad ${key}`, { cause: new Error(key) }) }, 'failed');
        });
        expect(lines).not.toContain(digits);
        expect(lines.trim().split('\n')).toHaveLength(3);
      }),
      runs(30),
    );
  });

  test('writes one JSON object per line, with level, time, service and the cause of an error', () => {
    const line = logged((logger) =>
      logger.error({ error: new Error('outer', { cause: new Error('inner') }) }, 'failed'),
    );
    const entry = JSON.parse(line);
    expect(entry).toMatchObject({ level: 'error', service: 'test', msg: 'failed' });
    expect(Number.isNaN(Date.parse(entry.time))).toBe(false);
    expect(JSON.stringify(entry.error)).toContain('inner');
  });
});

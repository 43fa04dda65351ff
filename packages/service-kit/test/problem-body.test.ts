// Tests docs/spec/errors.md 11.1, 11.5.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ERRORS, type ErrorCode, statusOf } from '../src/error-table.ts';
import { ApiError, asApiError, bounded, problemBody, problemHeaders } from '../src/errors.ts';

const KEY = `pk_live_${'a1B2'.repeat(12)}Z`;

describe('the table of error codes', () => {
  test('has no inherited entries, so that names of the prototype are not codes', () => {
    expect(Object.getPrototypeOf(ERRORS)).toBeNull();
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(name in ERRORS).toBe(false);
    }
  });

  test.each(Object.keys(ERRORS))('%s has the status 301, or a 4xx or 5xx status', (code) => {
    const status = statusOf(code as ErrorCode);
    expect(status === 301 || status >= 400).toBe(true);
    expect(statusOf(code as ErrorCode)).toBeLessThan(600);
  });

  test('cannot be changed', () => {
    expect(Object.isFrozen(ERRORS)).toBe(true);
  });
});

describe('the error body', () => {
  test('has code, message, status, trace id and every given detail', () => {
    const error = new ApiError('operator_not_supported', 'No like on Founded.', {
      field: 'Founded',
      parameter: '$filter',
      value: 'like',
      position: 8,
      allowed: ['eq', 'ne'],
      suggestion: 'eq',
      see: 'https://example.com/v2/pricing',
    });
    expect(problemBody(error, 'trace-1')).toEqual({
      error: {
        code: 'operator_not_supported',
        message: 'No like on Founded.',
        status: 400,
        trace_id: 'trace-1',
        field: 'Founded',
        parameter: '$filter',
        value: 'like',
        position: 8,
        allowed: ['eq', 'ne'],
        suggestion: 'eq',
        see: 'https://example.com/v2/pricing',
      },
    });
  });

  test('puts credits, actions and attempts_left beside the error', () => {
    const error = new ApiError('wrong_code', 'Wrong.', { beside: { attempts_left: 4 } });
    expect(problemBody(error, 't')).toMatchObject({ attempts_left: 4, error: { status: 401 } });
    expect(problemBody(error, 't').error).not.toHaveProperty('attempts_left');
  });

  test('is never cut inside a character', () => {
    for (const lengthMax of [200, 1_000]) {
      for (const more of [0, 100, 1_000]) {
        for (const shift of [1, 2]) {
          const text = `${'a'.repeat(lengthMax - shift)}${'😀'.repeat(more + 1)}`;
          expect(bounded(text, lengthMax)).not.toMatch(/\p{Surrogate}/u);
        }
      }
    }
    expect(bounded(`${'a'.repeat(198)}😀${'a'.repeat(500)}`)).toBe(`${'a'.repeat(198)}…`);
  });

  test('lists at most 50 allowed values and echoes at most 200 characters', () => {
    const allowed = Array.from({ length: 80 }, (_, i) => `v${i}`);
    const error = new ApiError('unknown_value', 'No.', { allowed, value: 'x'.repeat(5_000) });
    const body = problemBody(error, 't').error;
    expect(body.allowed).toHaveLength(50);
    expect(body.value).toHaveLength(200);
  });

  test('contains no key, in whichever member it was', () => {
    const error = new ApiError('unknown_value', `You sent ${KEY}.`, {
      field: KEY,
      parameter: KEY,
      value: KEY,
      suggestion: KEY,
      see: `https://example.com/?token=${KEY}`,
    });
    expect(JSON.stringify(problemBody(error, 't'))).not.toContain('a1B2a1B2');
  });
});

describe('headers of an error', () => {
  test('Retry-After is 30 s for 5xx, else as given and at least a second', () => {
    const bug = asApiError(new Error('secret detail'));
    expect(problemHeaders(bug)['Retry-After']).toBe('30');
    expect(problemHeaders(new ApiError('unavailable', 'x'))['Retry-After']).toBe('30');
    const limit = new ApiError('too_many_requests', 'x', { retryAfterSeconds: 12.1 });
    expect(problemHeaders(limit)['Retry-After']).toBe('13');
    const now = new ApiError('credits_exhausted', 'x', { retryAfterSeconds: -5 });
    expect(problemHeaders(now)['Retry-After']).toBe('1');
    expect(problemHeaders(new ApiError('not_found', 'x'))['Retry-After']).toBeUndefined();
  });

  test('401 has a challenge, 405 has Allow', () => {
    const unauthorized = new ApiError('unauthorized', 'x', { reason: 'missing' });
    expect(problemHeaders(unauthorized)['WWW-Authenticate']).toMatch(/^Bearer/);
    const method = new ApiError('method_not_allowed', 'x', { allow: ['GET', 'OPTIONS'] });
    expect(problemHeaders(method).Allow).toBe('GET, OPTIONS');
  });
});

test('any other error becomes internal_error, without its message', () => {
  const bug = asApiError(new TypeError('relation "venture"."x" does not exist'));
  expect(bug.code).toBe('internal_error');
  expect(JSON.stringify(problemBody(bug, 't'))).not.toContain('venture');
  expect(bug.cause).toBeInstanceOf(TypeError);
});

describe('echoed text', () => {
  const secrets = [KEY, `eyJ${'hbGci'.repeat(60)}.eyJz.c2ln`, `Bearer ${'s3cr'.repeat(20)}`];

  test.each(secrets)('contains no part of %s, wherever it is truncated', (secret) => {
    const parts = Array.from({ length: secret.length - 16 }, (_, i) => secret.slice(i + 8, i + 16));
    fc.assert(
      fc.property(fc.nat(800), fc.nat(800), (before, after) => {
        const echoed = bounded(`${' '.repeat(before)}${secret}${' x'.repeat(after)}`);
        expect(echoed.length).toBeLessThanOrEqual(200);
        expect(parts.filter((part) => echoed.includes(part))).toEqual([]);
      }),
    );
  });

  test('contains no part of a secret that follows many others', () => {
    const echoed = bounded(`${KEY} `.repeat(100));
    expect(echoed.replaceAll('pk_live_[redacted]', '')).not.toContain('a1B2');
  });
});

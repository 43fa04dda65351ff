import { describe, expect, test } from '@jest/globals';
import { createCallSample } from '../src/call-sample.ts';

const CALL = { method: 'GET', route: '/v2/startups', status: 200, ms: 12, subject: '192.0.2.1' };

describe('the calls in the access log', () => {
  test('are all calls by default', () => {
    const sample = createCallSample(1);
    expect([1, 2, 3].map(() => sample(CALL))).toEqual([1, 1, 1]);
  });

  test('with LOG_SAMPLE, the first call of each route and one in so many, with their number', () => {
    const sample = createCallSample(3);
    expect([1, 2, 3, 4, 5].map(() => sample(CALL))).toEqual([3, 0, 0, 3, 0]);
    expect(sample({ ...CALL, route: '/v2/funds' })).toBe(3);
    expect(sample({ ...CALL, method: 'POST' })).toBe(3);
    expect(sample(CALL)).toBe(0);
  });

  test('always include errors and calls of a second or more', () => {
    const sample = createCallSample(10_000);
    sample(CALL);
    for (const status of [400, 401, 429, 499, 500, 503])
      expect(sample({ ...CALL, status })).toBe(1);
    expect(sample({ ...CALL, ms: 1_000 })).toBe(1);
    expect(sample({ ...CALL, ms: 999 })).toBe(0);
  });

  test('have 50 errors of a client at once and then one a second, with the number it stands for', () => {
    let nowMs = 0;
    const sample = createCallSample(1, { wallMs: () => nowMs, monotonicMs: () => nowMs });
    const failed = (subject: string) => sample({ ...CALL, status: 401, subject });
    expect(Array.from({ length: 60 }, () => failed('a')).filter((lines) => lines > 0).length).toBe(
      50,
    );
    expect(failed('b')).toBe(1);
    expect(sample({ ...CALL, status: 503, subject: 'a' })).toBe(1);
    nowMs += 1_000;
    expect([failed('a'), failed('a')]).toEqual([11, 0]);
  });

  test('have 1,000 errors of all clients at once and then 20 a second', () => {
    let nowMs = 0;
    const sample = createCallSample(1, { wallMs: () => nowMs, monotonicMs: () => nowMs });
    const lines = (from: number) =>
      Array.from({ length: 3_000 }, (_, i) =>
        sample({ ...CALL, status: 401, subject: `${from + i}` }),
      ).filter((count) => count > 0).length;
    expect(lines(0)).toBe(1_000);
    nowMs += 1_000;
    expect(lines(3_000)).toBe(20);
  });
});

import { describe, expect, test } from '@jest/globals';
import { testClock } from '@vcds/test-kit';
import fc from 'fast-check';
import { ATTEMPTS_MAX, backOffMs } from '../../src/mail/back-off.ts';
import { retryAfterMsOf } from '../../src/mail/retry-after.ts';
import { createSentHere } from '../../src/mail/sent-here.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the back-off', () => {
  test('never leads past the life of the code', () => {
    const leftMs = fc.integer({ min: -1_000, max: 600_000 });
    const retryAfterMs = fc.option(fc.integer({ min: 0, max: 900_000 }), { nil: undefined });
    fc.assert(
      fc.property(fc.nat(6), leftMs, retryAfterMs, random, (attempt, left, asked, chance) => {
        const failed = { attempt: attempt + 1, leftMs: left, retryAfterMs: asked };
        const waitMs = backOffMs(failed, chance);
        if (waitMs === undefined) return;
        expect(waitMs).toBeLessThan(left);
        expect(waitMs).toBeGreaterThanOrEqual(asked ?? 0);
        expect(attempt + 1).toBeLessThan(ATTEMPTS_MAX);
      }),
    );
  });

  test('grows fourfold, by a random half, four times', () => {
    const waits = (chance: number) =>
      [1, 2, 3, 4, 5].map((attempt) => backOffMs({ attempt, leftMs: 600_000 }, chance));
    expect(waits(0)).toEqual([1_500, 6_000, 24_000, 96_000, undefined]);
    expect(waits(1)).toEqual([3_000, 12_000, 48_000, 192_000, undefined]);
  });

  test('is as long as the other side asked, if that is longer', () => {
    expect(backOffMs({ attempt: 1, leftMs: 600_000, retryAfterMs: 60_000 }, 0)).toBe(60_000);
    expect(backOffMs({ attempt: 1, leftMs: 60_000, retryAfterMs: 60_000 }, 0)).toBeUndefined();
  });
});

describe('what an answer asks to wait', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');
  const asked = (headers: Record<string, string>) => retryAfterMsOf((name) => headers[name], nowMs);

  test.each([
    [{}, undefined],
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, 0],
    [{ 'x-ratelimit-reset': String(nowMs / 1_000 + 12) }, 12_000],
    [{ 'x-ratelimit-reset': '1' }, 0],
    [{ 'retry-after': 'soon', 'x-ratelimit-reset': String(nowMs / 1_000 + 1) }, 1_000],
  ])('%j is %p ms', (headers, expected) => expect(asked(headers)).toBe(expected));
});

describe('what this process has sent', () => {
  test('is known until its code expires', () => {
    const clock = testClock();
    const sent = createSentHere(clock);
    sent.add('a', clock.wallMs() + 1_000);
    expect([sent.has('a'), sent.has('b')]).toEqual([true, false]);
    clock.advance(1_000);
    expect(sent.has('a')).toBe(false);
  });

  test('is bounded: the oldest is forgotten first', () => {
    const clock = testClock();
    const sent = createSentHere(clock, 2);
    for (const id of ['a', 'b', 'c']) sent.add(id, clock.wallMs() + 1_000);
    expect(['a', 'b', 'c'].filter(sent.has)).toEqual(['b', 'c']);
  });
});

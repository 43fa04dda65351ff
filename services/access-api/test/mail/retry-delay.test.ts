import { describe, expect, test } from '@jest/globals';
import { testClock } from '@vcds/test-kit';
import fc from 'fast-check';
import { createSentHere } from '../../src/mail/deliver.ts';
import {
  ATTEMPTS_MAX,
  AttemptFailed,
  retryAfterMsOf,
  retryDelayMs,
} from '../../src/mail/retry-delay.ts';

const NOW_MS = 1_000_000;
const failed = (leftMs: number, retryAfterMs?: number) =>
  new AttemptFailed({ text: 'failed', isFinal: false, retryAfterMs }, NOW_MS + leftMs);

describe('the delay of a retry', () => {
  test('never ends after the code expires, and is never shorter than Retry-After', async () => {
    const leftMs = fc.integer({ min: -1_000, max: 600_000 });
    const retryAfterMs = fc.option(fc.integer({ min: 0, max: 900_000 }), { nil: undefined });
    const attempts = fc.integer({ min: 1, max: ATTEMPTS_MAX });
    await fc.assert(
      fc.asyncProperty(attempts, leftMs, retryAfterMs, async (attempt, left, asked) => {
        const delayMs = await retryDelayMs(attempt, failed(left, asked), NOW_MS);
        if (delayMs === -1) return;
        expect(delayMs).toBeLessThan(left);
        expect(delayMs).toBeGreaterThanOrEqual(asked ?? 0);
      }),
    );
  });

  test('doubles with each attempt, minus up to half at random', async () => {
    for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
      const fullMs = 3_000 * 2 ** (attempt - 1);
      const delayMs = await retryDelayMs(attempt, failed(600_000), NOW_MS);
      expect(delayMs).toBeGreaterThanOrEqual(fullMs / 2);
      expect(delayMs).toBeLessThanOrEqual(fullMs);
    }
  });

  test('is Retry-After if that is longer; -1 if the code expires before', async () => {
    expect(await retryDelayMs(1, failed(600_000, 60_000), NOW_MS)).toBe(60_000);
    expect(await retryDelayMs(1, failed(60_000, 60_000), NOW_MS)).toBe(-1);
  });
});

describe('the time a response asks to wait', () => {
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

describe('the messages that this process sent', () => {
  test('are stored until the code expires', () => {
    const clock = testClock();
    const sent = createSentHere(clock);
    sent.add('a', clock.wallMs() + 1_000);
    expect([sent.has('a'), sent.has('b')]).toEqual([true, false]);
    clock.advance(1_000);
    expect(sent.has('a')).toBe(false);
  });

  test('are bounded: the oldest is removed first', () => {
    const clock = testClock();
    const sent = createSentHere(clock, 2);
    for (const id of ['a', 'b', 'c']) sent.add(id, clock.wallMs() + 1_000);
    expect(['a', 'b', 'c'].filter(sent.has)).toEqual(['b', 'c']);
  });
});

import { expect, test } from '@jest/globals';
import { repeat } from '../src/repeat.ts';

test('work is repeated one call at a time, its errors are passed on, until it is stopped', async () => {
  const errors: unknown[] = [];
  let running = 0;
  let calls = 0;
  let isThird: (() => void) | undefined;
  const third = new Promise<void>((resolve) => {
    isThird = resolve;
  });
  const repetition = repeat(
    async () => {
      running += 1;
      calls += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      if (calls === 3) isThird?.();
      throw new Error(`call ${calls}`);
    },
    { everyMs: 1, onError: (error) => errors.push(error) },
  );
  await third;
  await repetition.stop();
  expect(repetition.isStopping()).toBe(true);
  expect(errors[0]).toEqual(new Error('call 1'));
  const atEnd = calls;
  await new Promise(setImmediate);
  expect(calls).toBe(atEnd);
});

import { expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import { Matching } from '../../src/matching/matching.ts';

test('a model that cannot be loaded is loaded again after a delay that doubles up to a minute', async () => {
  let nowMs = 0;
  const opened: number[] = [];
  const checked: string[] = [];
  let version = 'first';
  const matching = new Matching({
    activeVersion: async () => {
      checked.push(version);
      return version;
    },
    open: async () => {
      opened.push(nowMs);
      throw new Error('The model has another format. Train it again.');
    },
    onFailure: () => undefined,
    onLoaded: () => undefined,
    pollMs: 2,
    nowMs: () => nowMs,
  });
  matching.start();
  const nextChecks = () => {
    const after = checked.length + 3;
    return eventually(() => checked.length >= after);
  };
  await nextChecks();
  expect(opened).toEqual([0]);
  for (nowMs = 1; opened.length < 20; nowMs *= 2) await nextChecks();
  const last = opened.at(-1) ?? 0;
  nowMs = last + 59_000;
  await nextChecks();
  expect(opened.at(-1)).toBe(last);
  nowMs = last + 60_000;
  await nextChecks();
  expect(opened.at(-1)).toBe(nowMs);
  version = 'second';
  await nextChecks();
  expect(opened.slice(-2)).toEqual([nowMs, nowMs]);
  await matching.close();
});

test('while the database cannot be read, the message does not say that no model was trained', async () => {
  const matching = new Matching({
    activeVersion: async () => {
      throw new Error('connect ECONNREFUSED');
    },
    open: async () => undefined,
    onFailure: () => undefined,
    onLoaded: () => undefined,
  });
  await expect(matching.use(async () => 1)).rejects.toThrow('is being loaded');
  await matching.close();
});

import { expect, test } from '@jest/globals';
import { openRanker, train } from '@vcds/matching';
import { eventually } from '@vcds/test-kit';
import { plantedData } from '../../../../packages/matching/test/planted-data.ts';
import { executeMatching } from '../../src/matching/execute.ts';
import { Matcher } from '../../src/matching/matcher.ts';
import { Matching } from '../../src/matching/matching.ts';
import { planMatching } from '../../src/matching/plan.ts';
import type { Ranker } from '../../src/matching/ranker.ts';

test('hits whose rounded scores are equal are in order of id', () => {
  const data = plantedData(1, { companies: 200, investors: 120 });
  const matcher = new Matcher('v', openRanker(train(data), data), data);
  const request = { record: undefined, excluded: [], limit: 100 };
  let equal = 0;
  for (const tag of ['fintech', 'health', 'games', 'energy']) {
    for (const country of ['DE', 'FR', 'US']) {
      const criteria = { tags: [tag], country };
      const hits = matcher.rank({ ...request, subject: undefined, criteria }) ?? [];
      const ordered = hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      expect(hits.map(({ id }) => id)).toEqual(ordered.map(({ id }) => id));
      equal += hits.filter(({ score }, k) => score === hits[k + 1]?.score).length;
    }
  }
  expect(equal).toBeGreaterThan(0);
});

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

test('a call ranks at most 1,000 candidates: an error, not a short list, if most are gone', async () => {
  const limits: number[] = [];
  const ranker: Ranker = {
    version: 'v',
    rank: async ({ limit }) => {
      limits.push(limit);
      const id = (index: number) => `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`;
      return Array.from({ length: limit }, (_, k) => ({
        id: id(k),
        score: 1 - k / 1e4,
        factors: [],
      }));
    },
    explain: async () => [],
    close: async () => undefined,
  };
  const query = { subject: undefined, includesCurrent: false, top: 25, criteria: [] };
  const plan = planMatching({ ...query, amountUsd: 1_000_000 });
  const sources = {
    database: { rows: async () => [] },
    matching: { use: <T>(work: (loaded: Ranker) => Promise<T>) => work(ranker) },
  };
  await expect(executeMatching(plan, sources)).rejects.toMatchObject({ code: 'unavailable' });
  expect(limits).toEqual([75, 300, 1_000]);
});

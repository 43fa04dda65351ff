import { describe, expect, test } from '@jest/globals';
import { evaluate, openRanker, train } from '../src/index.ts';
import { anInvestor, aStartup, DATA_DAYS, dataOf, plantedData } from './planted-data.ts';

const data = plantedData(7);
const model = train(data, { before: DATA_DAYS - 300 });
const ranker = openRanker(model, data, { before: DATA_DAYS - 300 });

describe('a ranking learnt from investments', () => {
  test('finds the preferences of investors', () => {
    const found = ranker.rankInvestors({ tags: ['fintech'], country: 'FR' }, { top: 2 });
    expect(found.map(({ index }) => [index % 4, index % 3])).toEqual([
      [0, 1],
      [0, 1],
    ]);
    const startups = ranker.rankStartups(4, { top: 10 });
    const fitting = startups.filter(({ index }) => {
      const startup = data.startups[index];
      return startup?.tags[0] === 'fintech' && startup.country === 'FR';
    });
    expect(fitting.length).toBeGreaterThanOrEqual(8);
  });

  test('is the same for the same data and options, bytes included', () => {
    const again = train(plantedData(7), { before: DATA_DAYS - 300 });
    expect(JSON.stringify(again)).toBe(JSON.stringify(model));
    const stored = openRanker(JSON.parse(JSON.stringify(model)), data, {
      before: DATA_DAYS - 300,
    });
    const query = { startup: 3 };
    expect(stored.rankInvestors(query, { top: 9 })).toEqual(
      ranker.rankInvestors(query, { top: 9 }),
    );
  });

  test('gives contributions that add up to the logit of the score', () => {
    const found = [
      ...ranker.rankInvestors({ tags: ['games'], country: 'US', stage: 3 }, { top: 5 }),
      ...ranker.rankInvestors({ startup: 11 }, { top: 5 }),
      ...ranker.rankStartups(2, { top: 5 }),
    ];
    expect(found.length).toBe(15);
    for (const { score, logit, base, contributions } of found) {
      expect(contributions.reduce((sum, part) => sum + part.logit, base)).toBeCloseTo(logit, 6);
      expect(1 / (1 + Math.exp(-logit))).toBeCloseTo(score, 12);
    }
  });

  test('leaves out closed, excluded and current investors, and orders ties by id', () => {
    const investors = ['c', 'a', 'b', 'd'].map((id) => anInvestor(id, { isClosed: id === 'd' }));
    const small = dataOf(investors, [aStartup('s')], [{ investor: 0, startup: 0, round: 0 }]);
    const untrained = openRanker(train(small), small);
    const ids = (includeCurrent: boolean) =>
      untrained
        .rankInvestors({ startup: 0 }, { top: 9, includeCurrent, exclude: new Set([2]) })
        .map(({ id }) => id);
    expect(ids(false)).toEqual(['a']);
    expect(ids(true)).toEqual(['a', 'c']);
  });

  test('beats the baselines in data with structure', () => {
    const report = evaluate(data, { split: DATA_DAYS - 300 });
    const [learnt, , ...baselines] = report.methods;
    // The others find a structure this simple, too.
    const weaker = baselines.filter(({ name }) =>
      ['popularity', 'recency', 'co-investor'].includes(name),
    );
    expect(report.questions.cold).toBeGreaterThan(20);
    for (const { name, behindBy } of weaker) {
      expect([name, behindBy.cold.low > 0]).toEqual([name, true]);
    }
    expect(learnt?.cold.ndcg10.mean).toBeGreaterThan(0.5);
  });
});

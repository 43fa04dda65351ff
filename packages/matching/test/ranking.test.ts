import { describe, expect, test } from '@jest/globals';
import { evaluate, FEATURES, type InvestmentData, openRanker, train } from '../src/index.ts';
import {
  anInvestor,
  aStartup,
  DATA_DAYS,
  dataOf,
  plantedData,
  shuffledDays,
  withInvestment,
} from './planted-data.ts';

const BEFORE = DATA_DAYS - 300;
const data = plantedData(7);
const model = train(data, { before: BEFORE });
const ranker = openRanker(model, data);

describe('a ranking learnt from investments', () => {
  test('finds the preferences of investors, by criteria and for an investor', () => {
    const found = ranker.rankInvestors({ tags: ['fintech'], country: 'FR' }, { top: 2 });
    expect(found.map(({ index }) => [index % 4, index % 3])).toEqual([
      [0, 1],
      [0, 1],
    ]);
    const fitting = ranker.rankStartups(4, { top: 10 }).filter(({ index }) => {
      const startup = data.startups[index];
      return startup?.tags[0] === 'fintech' && startup.country === 'FR';
    });
    expect(fitting.length).toBeGreaterThanOrEqual(8);
  });

  test('is the same for the same data and options, bytes included', () => {
    const again = train(plantedData(7), { before: BEFORE });
    expect(JSON.stringify(again)).toBe(JSON.stringify(model));
    const stored = openRanker(JSON.parse(JSON.stringify(model)), data);
    expect(stored.rankInvestors({ startup: 3 }, { top: 9 })).toEqual(
      ranker.rankInvestors({ startup: 3 }, { top: 9 }),
    );
  });

  test('gives contributions that add up to the logit, and equal scores both ways', () => {
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
    for (const { index, logit } of ranker.rankStartups(2, { top: 5 })) {
      const [same] = ranker
        .rankInvestors({ startup: index }, { top: 24 })
        .filter((match) => match.index === 2);
      expect(same?.logit).toBeCloseTo(logit, 6);
    }
  });

  test('leaves out what is excluded, and orders ties by id', () => {
    const investors = ['c', 'a', 'b', 'd', 'e'].map((id) => anInvestor(id));
    const undated = [{ investor: 0, startup: 0, round: 0 }];
    const dated = [{ investor: 4, startup: 1, round: 1, day: 9 }];
    const small = dataOf(investors, [aStartup('s'), aStartup('t')], [...undated, ...dated]);
    const untrained = openRanker(train(small), small);
    const found = untrained.rankInvestors({ startup: 0 }, { top: 9, exclude: new Set([2, 3]) });
    expect(found.map(({ id }) => id)).toEqual(['e', 'a', 'c']);
    const startups = untrained.rankStartups(0, { top: 9, exclude: new Set([0]) });
    expect(startups.map(({ id }) => id)).toEqual(['t']);
    expect(() => untrained.rankStartups(9, { top: 1 })).toThrow(RangeError);
  });

  test.each<[string, InvestmentData]>([
    ['nothing', dataOf([], [], [])],
    ['one investor', dataOf([anInvestor('i')], [aStartup('s')], [])],
    [
      'no date at all',
      dataOf([anInvestor('i')], [aStartup('s')], [{ investor: 0, startup: 0, round: 0 }]),
    ],
    ['a dozen investments', plantedData(3, { companies: 4, investors: 5 })],
  ])('works with %s', (_, small) => {
    const opened = openRanker(train(small), small);
    const matches = opened.rankInvestors({ tags: ['fintech'], country: 'DE' }, { top: 5 });
    expect(matches.length).toBe(small.investors.length);
    for (const { score } of matches) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
    }
  });

  test.each([-719_162, 2_932_896])(
    'is finite and complete with one investment on day %i, far from all others',
    (day) => {
      const odd = withInvestment(data, { investor: 5, day });
      const trained = train(odd);
      for (const mean of trained.means) expect(mean).not.toBeNaN();
      const { weights, offset } = trained.heads.coldCriteria;
      for (const value of [...weights, offset]) expect(value).not.toBeNaN();
      const opened = openRanker(JSON.parse(JSON.stringify(trained)), odd);
      const found = opened.rankInvestors({ tags: ['mining'], country: 'DE' }, { top: 50 });
      expect(found).toHaveLength(24);
      expect(opened.rankStartups(5, { top: 20 })).toHaveLength(20);
    },
  );

  test('does not open a model of other features', () => {
    const other = { ...model, features: FEATURES.slice(1) };
    expect(() => openRanker(other, data)).toThrow('Train it again');
  });
});

describe('the evaluation', () => {
  const report = evaluate(data, { split: BEFORE });

  test('finds the learnt ranking ahead of popularity where there is structure', () => {
    const [learnt] = report.methods;
    expect(report.questions.cold).toBeGreaterThan(20);
    const popularity = report.methods.find(({ name }) => name === 'popularity');
    expect(popularity?.behindBy.cold.low).toBeGreaterThan(0);
    expect(learnt?.cold.ndcg10.mean).toBeGreaterThan(0.5);
  });

  test('measures a sample of the questions, the same for the same seed', () => {
    const total = report.questions.cold + report.questions.warm;
    const sampled = (questionsMax: number) => evaluate(data, { split: BEFORE, questionsMax });
    const { candidates, model: trained } = report;
    const sample = sampled(10);
    expect(sample.questions.cold + sample.questions.warm).toBe(10);
    expect(sample).toMatchObject({ candidates, model: trained });
    expect(sampled(10)).toEqual(sample);
    expect(sampled(total + 1)).toEqual(report);
  });

  test('finds the ranking better with the stage sought, where investors have stages', () => {
    const staged = plantedData(9, { haveStages: true, investors: 48 });
    const { methods } = evaluate(staged, { split: BEFORE });
    const behindBy = methods.find(({ name }) => name === 'learnt ranking, round sought')?.behindBy;
    expect(behindBy?.cold.high).toBeLessThan(0);
  });

  test('finds no such advantage when the days are shuffled', () => {
    const turning = plantedData(5, { turnDays: 500, companies: 600 });
    const aheadOfPopularity = (of: InvestmentData) =>
      evaluate(of, { split: BEFORE }).methods.find(({ name }) => name === 'popularity')?.behindBy
        .cold.mean ?? 0;
    const ordered = aheadOfPopularity(turning);
    expect(ordered).toBeGreaterThan(0.1);
    expect(aheadOfPopularity(shuffledDays(turning, 5))).toBeLessThan(ordered / 2);
  });
});

import { describe, expect, test } from '@jest/globals';
import {
  evaluateStages,
  expectedStage,
  formatStageReport,
  type StageCompany,
  trainStages,
} from '../src/index.ts';
import { wilsonInterval } from '../src/share.ts';
import { chooseThreshold, type Guess } from '../src/threshold.ts';

const [SEED, A, B, C, VENTURE] = [3, 4, 5, 6, 12];
const YEAR = 365;
const TODAY = 50 * YEAR;

/** A company with a round every ten months, of the stages given. */
function company(firstDay: number, stages: readonly (number | null)[]): StageCompany {
  const rounds = stages.map((stage, index) => ({
    day: firstDay + index * 300,
    stage,
    amount: 1e6,
  }));
  return { rounds, tags: ['Software'], country: 'Germany', founded: 2010 };
}

/** As many companies as given, which began in the eight years before today, in any order. */
function companies(count: number, stagesOf: (index: number) => readonly number[]) {
  return Array.from({ length: count }, (_, index) =>
    company(TODAY - 8 * YEAR + ((index * 7_919) % (8 * YEAR)), stagesOf(index)),
  ).map((each) => ({ ...each, rounds: each.rounds.filter(({ day }) => day < TODAY) }));
}

const regular = companies(240, () => [SEED, A, B, C]);

describe('the expected stage', () => {
  const model = trainStages(regular, TODAY);
  const expected = (each: StageCompany, day = TODAY) => expectedStage(model, each, day);

  test('is the one that followed in companies with such rounds', () => {
    expect(model.thresholds.length).toBe(3);
    expect(model.thresholds).not.toContain(null);
    expect(model.backTest.length).toBe(6);
    for (const { right, of } of model.backTest) expect(right).toBeGreaterThanOrEqual(0.84 * of);
    expect(expected(company(TODAY - 100, [SEED]))).toBe(A);
    expect(expected(company(TODAY - 400, [SEED, A]))).toBe(B);
    expect(expected(company(TODAY - 700, [SEED, A, B]))).toBe(C);
  });

  test('is null without a round, and after a longer time than almost all next rounds took', () => {
    expect(expected(company(TODAY - 100, []))).toBeNull();
    expect(model.gapDaysMax).toBe(YEAR);
    expect(expected(company(TODAY - YEAR, [SEED]))).toBe(A);
    expect(expected(company(TODAY - YEAR - 1, [SEED]))).toBeNull();
  });

  test('does not read rounds of the day or later ones', () => {
    const later = company(TODAY - 300, [SEED, A]);
    expect(expected(later)).toBe(A);
    expect(expected(later, TODAY + 1)).toBe(B);
  });

  test('is null if few rounds are known, or if they follow no rule', () => {
    const few = trainStages(
      companies(30, () => [SEED, A, B, C]),
      TODAY,
    );
    expect(few.thresholds.every((each) => each === null)).toBe(true);
    expect(expectedStage(few, company(TODAY - 100, [SEED]), TODAY)).toBeNull();
    const irregular = companies(240, (index) => [SEED, [A, B, C][(index * 31) % 3] ?? A]);
    const { thresholds } = trainStages(irregular, TODAY);
    expect(thresholds).toEqual([null, null, null]);
  });

  test('is never one that names no series, however often it came', () => {
    const unnamed = trainStages(
      companies(240, () => [SEED, VENTURE, VENTURE, VENTURE]),
      TODAY,
    );
    expect(unnamed.stages).toEqual([]);
    expect(expectedStage(unnamed, company(TODAY - 100, [SEED]), TODAY)).toBeNull();
  });
});

describe('the training', () => {
  test('is deterministic, and its model is plain JSON', () => {
    const model = trainStages(regular, TODAY);
    expect(trainStages(regular, TODAY)).toEqual(model);
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  });

  test('reads nothing from its day on', () => {
    const before = TODAY - YEAR;
    const past = regular.map((each) => ({
      ...each,
      rounds: each.rounds.filter(({ day }) => day < before),
    }));
    expect(trainStages(regular, before)).toEqual(trainStages(past, before));
  });

  /** Companies with a series A before today, and rounds of other dates. */
  const withDates = (count: number, ...days: readonly number[]) =>
    Array.from({ length: count }, (_, index): StageCompany => {
      const rounds = [TODAY - 500 - index, ...days].map((day) => ({ day, stage: A, amount: 1e6 }));
      return { ...company(0, []), rounds: rounds.sort((a, b) => a.day - b.day) };
    });

  test('is not changed by rounds of the year 9999', () => {
    const model = trainStages([...regular, ...withDates(20)], TODAY);
    expect(trainStages([...regular, ...withDates(20, 2_932_896)], TODAY)).toEqual(model);
    expect(model.thresholds).not.toContain(null);
  });

  test.each([
    ['the year 1', -719_162],
    ['1900', -25_567],
  ])('still predicts with rounds of %s, and not for longer without a round', (_, day) => {
    const { gapDaysMax } = trainStages([...regular, ...withDates(60)], TODAY);
    const model = trainStages([...regular, ...withDates(60, day)], TODAY);
    expect(model.thresholds).not.toContain(null);
    expect(model.gapDaysMax).toBe(gapDaysMax);
  });

  test('gives rounds of unknown stage and amount features of their own', () => {
    const unknown = companies(240, () => [SEED, A]).map((each) => ({
      ...each,
      rounds: each.rounds.map((round) => ({ ...round, amount: null })),
    }));
    expect(trainStages(unknown, TODAY).features).toContain('amount unknown');
  });
});

describe('the report', () => {
  const split = TODAY - 2 * YEAR;

  test('compares the predictions of a day with the rounds that came afterwards', () => {
    const report = evaluateStages(regular, split);
    expect(report.all.of).toBeGreaterThan(50);
    expect(report.all.right).toBe(report.all.of);
    expect(report.baseline.right).toBe(report.baseline.of);
    expect(report.served.of).toBeGreaterThan(0);
    expect(report.coverage).toBe(report.served.of / report.all.of);
    expect(report.bins.reduce((sum, bin) => sum + bin.of, 0)).toBe(report.all.of);
    expect(formatStageReport(report)).toContain('| served: Series B |');
  });

  test('counts rounds that state no stage, but not as right', () => {
    const blurred = regular.map((each, index) => ({
      ...each,
      rounds: each.rounds.map((round) =>
        round.day >= split && index % 2 === 0 ? { ...round, stage: VENTURE } : round,
      ),
    }));
    const [clear, half] = [evaluateStages(regular, split), evaluateStages(blurred, split)];
    expect(half.all.of).toBeLessThan(clear.all.of);
    expect(half.servedStrict.of).toBe(clear.served.of);
    expect(half.servedStrict.right).toBe(half.served.right);
  });

  test('of no data has no prediction', () => {
    const report = evaluateStages([], split);
    expect(report).toMatchObject({ coverage: 0, all: { of: 0 }, served: { of: 0 }, bins: [] });
    expect(formatStageReport(report)).toContain('Served: nothing');
  });
});

describe('the threshold', () => {
  const guesses = (halfYear: number, probability: number, right: number, wrong: number) =>
    Array.from({ length: right + wrong }, (_, index) => ({
      ...{ stage: A, probability, isRight: index < right, halfYear, weight: 1 },
    }));
  const each = (of: (halfYear: number) => Guess[]) => [0, 1, 2, 3, 4, 5].flatMap(of);

  test('is the lowest from which on enough predictions were right in each half-year', () => {
    const usual = (halfYear: number) => [
      ...guesses(halfYear, 0.9, 95, 5),
      ...guesses(halfYear, 0.7, 75, 25),
      ...guesses(halfYear, 0.55, 40, 60),
    ];
    expect(chooseThreshold(each(usual))).toBe(0.56);
    const difficult = [...guesses(3, 0.9, 95, 5), ...guesses(3, 0.7, 60, 40)];
    expect(chooseThreshold(each((h) => (h === 3 ? difficult : usual(h))))).toBe(0.71);
  });

  test('is absent if too few predictions were compared, or too many were wrong', () => {
    expect(chooseThreshold(each((halfYear) => guesses(halfYear, 0.9, 3, 0)))).not.toBeNull();
    expect(chooseThreshold(each((halfYear) => guesses(halfYear, 0.9, 2, 0)))).toBeNull();
    expect(chooseThreshold(each((halfYear) => guesses(halfYear, 0.9, 830, 170)))).toBeNull();
    expect(chooseThreshold([])).toBeNull();
  });

  test('counts several predictions of one round as one', () => {
    const repeated = each((halfYear) => guesses(halfYear, 0.9, 4, 0));
    expect(chooseThreshold(repeated)).not.toBeNull();
    expect(chooseThreshold(repeated.map((guess) => ({ ...guess, weight: 0.5 })))).toBeNull();
  });

  test('is chosen for each stage, and some have none', () => {
    const mixed = companies(600, (index) => [SEED, A, [B, C][(index * 31) % 2] ?? B]);
    const { stages, thresholds } = trainStages(mixed, TODAY);
    const of = (stage: number) => thresholds[stages.indexOf(stage)];
    expect(of(A)).not.toBeNull();
    expect([of(B), of(C)]).toEqual([null, null]);
  });

  test.each([
    [8, 10, 0.4902, 0.9433],
    [74, 100, 0.6463, 0.816],
    [0, 0, 0, 1],
  ])('%i of %i have the interval %d to %d', (right, of, low, high) => {
    const interval = wilsonInterval(right, of);
    expect(interval[0]).toBeCloseTo(low, 3);
    expect(interval[1]).toBeCloseTo(high, 3);
  });
});

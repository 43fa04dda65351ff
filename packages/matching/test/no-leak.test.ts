import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FEATURES, fillFeatures } from '../src/features/features.ts';
import { createHistory } from '../src/history/history.ts';
import { resolveQuery } from '../src/history/query.ts';
import { questionsAfter } from '../src/history/questions.ts';
import { createTimeline } from '../src/history/timeline.ts';
import { type InvestmentData, type InvestmentRow, train } from '../src/index.ts';
import { anInvestor, aStartup, dataOf, plantedData } from './planted-data.ts';

const INVESTORS = 5;
const STARTUPS = 6;
const CUT = 100;

const row = (day: fc.Arbitrary<number | undefined>): fc.Arbitrary<InvestmentRow> =>
  fc.record({
    investor: fc.nat(INVESTORS - 1),
    startup: fc.nat(STARTUPS - 1),
    round: fc.nat(20),
    day,
    stage: fc.nat(5),
    amountUsd: fc.constantFrom(Number.NaN, 1e5, 1e6, 1e7),
    isLead: fc.boolean(),
  }) as fc.Arbitrary<InvestmentRow>;

const past = fc.array(row(fc.nat(CUT - 1)), { minLength: 1, maxLength: 25 });
const hidden = fc.array(row(fc.oneof(fc.integer({ min: CUT, max: 300 }), fc.constant(undefined))), {
  minLength: 1,
  maxLength: 25,
});

const companies = (rows: readonly InvestmentRow[]): InvestmentData =>
  dataOf(
    Array.from({ length: INVESTORS }, (_, i) => anInvestor(`i${i}`, { country: 'DE' })),
    Array.from({ length: STARTUPS }, (_, s) =>
      aStartup(`s${s}`, { tags: [`t${s % 3}`], country: s % 2 ? 'DE' : 'FR', founded: 1960 + s }),
    ),
    rows,
  );

/** The features of all pairs at the cut. */
function featuresOf(data: InvestmentData): number[][] {
  const timeline = createTimeline(data);
  const history = createHistory(timeline, CUT);
  return data.startups.flatMap((_, startup) => {
    const query = resolveQuery(timeline, { startup }, CUT);
    return data.investors.map((_, investor) => {
      const out = new Float64Array(FEATURES.length);
      fillFeatures(history, query, investor, out);
      return [...out].map((x) => Math.round(x * 1e7) / 1e7 + 0);
    });
  });
}

describe('what happens at or after the cut', () => {
  test('changes no feature before it, and neither do undated investments', () => {
    fc.assert(
      fc.property(past, hidden, (before, after) => {
        expect(featuresOf(companies([...before, ...after]))).toEqual(featuresOf(companies(before)));
      }),
      { numRuns: 60 },
    );
  });

  test('changes features after it: the features are not constant', () => {
    const investment = { investor: 1, startup: 2, round: 1 };
    const other = { investor: 2, startup: 1, round: 2, day: 5 };
    expect(featuresOf(companies([other, { ...investment, day: CUT - 1 }]))).not.toEqual(
      featuresOf(companies([other, { ...investment, day: CUT }])),
    );
  });

  test('changes no model trained on what was before', () => {
    const data = plantedData(2, { companies: 60 });
    const { day } = data.investments;
    const kept = [...day.keys()].filter((k) => (day[k] as number) < 1500);
    const columns = Object.entries(data.investments).map(([name, column]) => [
      name,
      (column as Uint32Array).filter((_: number, k: number) => kept.includes(k)),
    ]);
    const cut = { ...data, investments: Object.fromEntries(columns) };
    const weights = (of: InvestmentData) =>
      train(of, { before: 1500 }).heads.coldRecord.weights.map((weight) =>
        Math.round(weight * 1e5),
      );
    expect(weights(cut)).toEqual(weights(data));
  });
});

describe('questions', () => {
  test('are companies that active investors newly joined, with those that had before', () => {
    const rows = [
      { investor: 0, startup: 0, round: 0, day: 10 },
      { investor: 0, startup: 1, round: 1, day: 20 },
      { investor: 1, startup: 2, round: 2, day: 30 },
      { investor: 1, startup: 3, round: 3, day: 40 },
      // From the cut on: a follow-on, a new investor of a known company, a new company, a newcomer.
      { investor: 0, startup: 0, round: 4, day: 100 },
      { investor: 1, startup: 0, round: 4, day: 120 },
      { investor: 0, startup: 4, round: 5, day: 130 },
      { investor: 2, startup: 5, round: 6, day: 130 },
      { investor: 1, startup: 4, round: 7, day: 200 },
    ];
    const history = createHistory(createTimeline(companies(rows)), CUT);
    expect(questionsAfter(history, 200, 2)).toEqual([
      { startup: 0, isWarm: true, relevant: [1], already: [0], row: 5 },
      { startup: 4, isWarm: false, relevant: [0], already: [], row: 6 },
    ]);
  });
});

import { backTest } from './back-test.ts';
import { roundsBefore, type StageCompany } from './company.ts';
import { examplesOf, GAP_DAYS_COUNTED_MAX } from './examples.ts';
import { fitBefore, isServed, type StageModel } from './model.ts';
import { chooseThreshold, sharesByHalfYear } from './threshold.ts';

/** The share of next rounds that came within `gapDaysMax`. */
const GAP_SHARE = 0.95;
const GAP_DAYS_MIN = 365;
/** Companies with more examples than about this are sampled: training takes seconds. */
const EXAMPLES_MAX = 80_000;

/**
 * Trains on the rounds before a day. The thresholds are chosen by predicting the rounds of the last
 * half-years from the time before. Deterministic for the order of the companies.
 */
export function trainStages(all: readonly StageCompany[], before: number): StageModel {
  // Later rounds would count as examples of a company, and so change the sample.
  const companies = sample(
    all.map((company) => ({
      ...company,
      rounds: company.rounds.slice(0, roundsBefore(company, before)),
    })),
  );
  const gapDaysMax = gapDaysOf(companies, before);
  const model = fitBefore(companies, before, gapDaysMax);
  const guesses = backTest(companies, before, gapDaysMax);
  const thresholds = model.stages.map((stage) =>
    chooseThreshold(guesses.filter((each) => each.stage === stage)),
  );
  const chosen = { ...model, thresholds };
  const served = guesses.filter((each) => isServed(chosen, each));
  return { ...chosen, backTest: sharesByHalfYear(served) };
}

function gapDaysOf(companies: readonly StageCompany[], before: number): number {
  const gaps = companies.flatMap(({ rounds }) =>
    rounds.flatMap(({ day }, index) => {
      const next = rounds[index + 1];
      if (next === undefined || next.day >= before) return [];
      const days = next.day - day;
      return days <= GAP_DAYS_COUNTED_MAX ? [days] : [];
    }),
  );
  gaps.sort((a, b) => a - b);
  return Math.max(GAP_DAYS_MIN, gaps[Math.floor(gaps.length * GAP_SHARE)] ?? 0);
}

function sample(companies: readonly StageCompany[]): readonly StageCompany[] {
  const examples = companies.reduce((sum, company) => sum + examplesOf(company), 0);
  const every = Math.ceil(examples / EXAMPLES_MAX);
  return every <= 1 ? companies : companies.filter((_, index) => index % every === 0);
}

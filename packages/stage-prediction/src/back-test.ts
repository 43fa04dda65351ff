import type { StageCompany } from './company.ts';
import { outcomesAfter } from './examples.ts';
import { fitBefore, guess } from './model.ts';
import { type Guess, HALF_YEARS } from './threshold.ts';

const HALF_YEAR_DAYS = 182;
/** Predictions are compared with the rounds of so many half-years after them. */
const AHEAD = 3;

/**
 * Predictions of the rounds of the last half-years: each half-year begins with a model of the time
 * before it, whose predictions are compared with the rounds of the eighteen months that follow, but
 * nothing from `before` on.
 */
export function backTest(
  companies: readonly StageCompany[],
  before: number,
  gapDaysMax: number,
): Guess[] {
  const made: (Omit<Guess, 'weight'> & { readonly round: string })[] = [];
  for (let halfYear = 0; halfYear < HALF_YEARS; halfYear++) {
    const origin = before - (halfYear + 1) * HALF_YEAR_DAYS;
    const end = Math.min(before, origin + AHEAD * HALF_YEAR_DAYS);
    const past = fitBefore(companies, origin, gapDaysMax);
    for (const example of outcomesAfter(companies, origin, end, gapDaysMax).examples) {
      const { stage, probability } = guess(past, example.features);
      made.push({
        ...{ stage, probability, isRight: stage === example.next },
        halfYear: Math.floor((before - 1 - example.nextDay) / HALF_YEAR_DAYS),
        round: `${example.company} ${example.nextDay}`,
      });
    }
  }
  const counts = new Map<string, number>();
  for (const { round } of made) counts.set(round, (counts.get(round) ?? 0) + 1);
  return made.map(({ round, ...each }) => ({ ...each, weight: 1 / (counts.get(round) ?? 1) }));
}

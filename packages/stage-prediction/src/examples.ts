import { isNamed, roundsBefore, type StageCompany } from './company.ts';
import { featuresOf } from './features.ts';

/** A company on a day, and the stage of the round that followed. */
export interface Example {
  readonly features: readonly string[];
  /** The stage of the last round before the day; null if it states none. */
  readonly last: number | null;
  readonly next: number;
  readonly nextDay: number;
  /** One, divided among the days on which the same two rounds are the last and the next one. */
  readonly weight: number;
}

/** An example every quarter of a year. */
const EVERY_DAYS = 91;
/** Examples of two successive rounds at most: ten years. */
const QUARTERS_MAX = 40;
/** A longer time between two rounds is mostly a wrong date. */
export const GAP_DAYS_COUNTED_MAX = QUARTERS_MAX * EVERY_DAYS;

/**
 * Examples of all pairs of successive rounds of which the second is before `before` and states its
 * stage: one for each quarter that begins between them, at most {@link QUARTERS_MAX}. So the time since the last round varies as
 * it does for the companies of any day. Nothing on or after `before` enters.
 */
export function examplesBefore(companies: readonly StageCompany[], before: number): Example[] {
  const examples: Example[] = [];
  for (const company of companies) {
    for (const [index, round] of company.rounds.entries()) {
      const next = company.rounds[index + 1];
      if (next === undefined || next.day >= before || !isNamed(next.stage)) continue;
      const first = Math.floor(round.day / EVERY_DAYS) + 1;
      const quarters = Math.min(QUARTERS_MAX, Math.floor(next.day / EVERY_DAYS) - first + 1);
      for (let quarter = 0; quarter < quarters; quarter++) {
        examples.push({
          features: featuresOf(company, index + 1, (first + quarter) * EVERY_DAYS),
          last: round.stage,
          next: next.stage,
          nextDay: next.day,
          weight: 1 / quarters,
        });
      }
    }
  }
  return examples;
}

/** About how many examples a company has. */
export function examplesOf({ rounds }: StageCompany): number {
  let examples = 0;
  for (const [index, { day }] of rounds.entries()) {
    const days = day - (rounds[index - 1]?.day ?? day);
    examples += Math.min(QUARTERS_MAX, days / EVERY_DAYS);
  }
  return Math.ceil(examples);
}

/** The rounds after a day: an example for each company whose next round came before `before`. */
export interface Outcomes {
  readonly examples: readonly (Example & { /** Its index. */ readonly company: number })[];
  /** Features of the companies whose next round came, too, but states no stage. */
  readonly unnamed: readonly (readonly string[])[];
}

/**
 * Outcomes of the companies of a day, from what was recorded before it.
 * @param gapDaysMax companies without a round for longer are left out.
 */
export function outcomesAfter(
  companies: readonly StageCompany[],
  day: number,
  before: number,
  gapDaysMax: number,
): Outcomes {
  const examples: (Example & { company: number })[] = [];
  const unnamed: string[][] = [];
  for (const [index, company] of companies.entries()) {
    const count = roundsBefore(company, day);
    const [last, next] = [company.rounds[count - 1], company.rounds[count]];
    if (last === undefined || next === undefined || next.day >= before) continue;
    if (day - last.day > gapDaysMax) continue;
    const features = featuresOf(company, count, day);
    if (!isNamed(next.stage)) unnamed.push(features);
    else {
      const { stage, day: nextDay } = next;
      const known = { company: index, features, last: last.stage };
      examples.push({ ...known, next: stage, nextDay, weight: 1 });
    }
  }
  return { examples, unnamed };
}

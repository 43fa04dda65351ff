import type { StageCompany } from './company.ts';

const DAYS_PER_YEAR = 365.25;
const GAP_DAYS = [91, 183, 274, 365, 548, 730, 1_095, 1_460];
const AMOUNTS = [1e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7];
const AGE_YEARS = [1, 2, 3, 5, 8, 12];
const ROUNDS_MAX = 5;
/** More tags of one company are ignored. */
const TAGS_MAX = 12;

/**
 * The features of a company on a day, by name, from the first `count` of its rounds; at least one.
 * Each is present or absent. They are the last stage, the stage before it, the time since the last
 * round and between the last two, amounts, the number of rounds, age, tags and country, and the
 * combinations of the last stage with the others that describe rounds.
 */
export function featuresOf(company: StageCompany, count: number, day: number): string[] {
  const rounds = company.rounds.slice(0, count);
  const last = rounds.at(-1);
  const previous = rounds.at(-2);
  if (last === undefined) throw new RangeError('A prediction needs a round.');
  const amounts = rounds.flatMap(({ amount }) => amount ?? []);
  const stage = last.stage ?? 'none';
  const gap = bucket(day - last.day, GAP_DAYS);
  const before = previous === undefined ? 'first' : (previous.stage ?? 'none');
  const number = Math.min(count, ROUNDS_MAX);
  const amount = last.amount === null ? 'unknown' : bucket(last.amount, AMOUNTS);
  const raised =
    amounts.length === 0
      ? 'unknown'
      : bucket(
          amounts.reduce((sum, each) => sum + each, 0),
          AMOUNTS,
        );
  const spacing = previous === undefined ? 'first' : bucket(last.day - previous.day, GAP_DAYS);
  const ofRounds = [
    ...[`gap ${gap}`, `stage before ${before}`, `rounds ${number}`],
    ...[`amount ${amount}`, `raised ${raised}`],
  ];
  return [
    ...['', `stage ${stage}`, `spacing ${spacing}`, `age ${ageOf(company, day)}`],
    `country ${company.country ?? 'unknown'}`,
    ...company.tags.slice(0, TAGS_MAX).map((tag) => `tag ${tag}`),
    ...ofRounds,
    ...ofRounds.map((feature) => `stage ${stage}, ${feature}`),
  ];
}

function ageOf({ founded }: StageCompany, day: number): number | string {
  if (founded === null) return 'unknown';
  return bucket(1970 + day / DAYS_PER_YEAR - founded, AGE_YEARS);
}

function bucket(value: number, bounds: readonly number[]): number {
  return bounds.filter((bound) => value >= bound).length;
}

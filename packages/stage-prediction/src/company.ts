import { stages } from '@vcds/venture-model';

/** A confirmed round. */
export interface StageRound {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** The number of its stage; null if the source states none. */
  readonly stage: number | null;
  /** US dollars. */
  readonly amount: number | null;
}

/** A company as the prediction reads it. */
export interface StageCompany {
  /** In the order of their days. */
  readonly rounds: readonly StageRound[];
  readonly tags: readonly string[];
  readonly country: string | null;
  readonly founded: number | null;
}

/** Stages that do not say which round it was: "Venture (series unknown)" and "Other". */
const UNNAMED: ReadonlySet<number> = new Set(
  stages.flatMap(({ name, value }) =>
    name === 'Venture' || name === 'Other' ? [Number(value)] : [],
  ),
);

/** Whether a round states its stage, so that a prediction of it can be right or wrong. */
export function isNamed(stage: number | null): stage is number {
  return stage !== null && !UNNAMED.has(stage);
}

/** How many rounds of a company were before a day. */
export function roundsBefore({ rounds }: StageCompany, day: number): number {
  let count = rounds.length;
  while (count > 0 && (rounds[count - 1]?.day ?? 0) >= day) count--;
  return count;
}

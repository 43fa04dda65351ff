import type { Criteria } from '@vcds/matching';
import { type PlannedNarrowing, planNarrowing } from '../narrowing/plan.ts';
import type { MatchingQuery } from './query.ts';

/** Investors for a company or startups for a fund, best first (docs/spec/matching.md 19.1). */
export interface MatchingPlan extends Pick<MatchingQuery, 'subject' | 'includesCurrent' | 'top'> {
  readonly criteria: Criteria;
  /** The criteria whose values must occur. */
  readonly narrowing: readonly PlannedNarrowing[];
}

/** @throws QueryError `unknown_value` for an unknown stage. */
export function planMatching(query: MatchingQuery): MatchingPlan {
  const narrowing = planNarrowing(query.criteria);
  const valuesOf = (parameter: string) =>
    narrowing.find((each) => each.parameter === parameter)?.values.map(({ value }) => value);
  const tags = valuesOf('tags')?.map(String);
  const [country] = valuesOf('country') ?? [];
  const [stage] = valuesOf('stage') ?? [];
  const { subject, includesCurrent, top, amountUsd } = query;
  return {
    ...{ subject, includesCurrent, top, narrowing },
    criteria: {
      ...(tags !== undefined && { tags }),
      ...(country !== undefined && { country: String(country) }),
      ...(stage !== undefined && { stage: Number(stage) }),
      ...(amountUsd !== undefined && { amountUsd }),
    },
  };
}

import type { QuoteInput } from '@vcds/metering';
import type { ActivityPlan } from '../activity/read-activity.ts';
import type { AggregatesPlan } from '../aggregates/plan.ts';
import type { FacetsPlan, ValuesPlan } from '../categories/plan.ts';
import type { CollectionPlan } from '../collections/plan.ts';
import type { FindPlan } from '../find/query.ts';
import type { MatchingPlan } from '../matching/plan.ts';
import type { SearchPlan } from '../search/query.ts';
import type { TagSearchPlan } from '../search/tag-search.ts';
import type { SignalsPlan } from '../signals/plan.ts';

/** A constant response, as JSON text. */
export interface FixedPlan {
  readonly kind: 'fixed';
  readonly body: string;
}

/** The operation of a call. It is valid: names are resolved and bounds are checked. */
export type Plan =
  | CollectionPlan
  | SearchPlan
  | TagSearchPlan
  | FacetsPlan
  | ValuesPlan
  | AggregatesPlan
  | SignalsPlan
  | ActivityPlan
  | MatchingPlan
  | FindPlan
  | FixedPlan;

/** The inputs of the quote for a plan. */
export function quoteInput(plan: Plan): QuoteInput {
  switch (plan.kind) {
    case 'page':
      return { ceilingRecords: plan.top, expands: plan.expands.length, countOnly: false };
    case 'record':
      return { ceilingRecords: 1, expands: plan.expands.length, countOnly: false };
    case 'count':
      return { ceilingRecords: 0, expands: 0, countOnly: true };
    case 'search':
      return { ceilingRecords: plan.request.top, expands: 0, countOnly: false };
    case 'tagSearch':
    case 'activity':
    case 'matching':
      return { ceilingRecords: plan.top, expands: 0, countOnly: false };
    case 'signals':
      return { ceilingRecords: plan.limit, expands: plan.expands.length, countOnly: false };
    case 'facets':
    case 'values':
    case 'aggregates':
    case 'find':
    case 'fixed':
      return { ceilingRecords: 0, expands: 0, countOnly: false };
  }
}

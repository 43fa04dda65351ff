import type { PlanId } from '@vcds/credentials';
import type { RateCardEntry } from '../price/rate-card.ts';
import { type CreditsBody, creditsBody } from './credits-body.ts';
import { type ReducePageSize, reducePageSize, textOfCredits } from './reduce-page-size.ts';

/** A call that costs more than the balance. */
export interface Exhaustion {
  readonly entry: RateCardEntry;
  /** Credits the call needed: its ceiling. */
  readonly required: number;
  /** How many expands it asked for. */
  readonly expands: number;
  /** Whether it asked for a total, whose price is flat. */
  readonly countOnly: boolean;
  readonly plan: PlanId;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
  /** Where more credits are bought. */
  readonly purchaseUrl: string;
}

/** A remedy that the error offers. */
export type ExhaustedAction =
  | { readonly type: 'purchase_credits'; readonly url: string }
  | ReducePageSize
  | { readonly type: 'wait'; readonly until: string };

/** The members in addition to `error` in a `credits_exhausted` body. */
export interface ExhaustedBody {
  readonly credits: CreditsBody;
  readonly actions: readonly ExhaustedAction[];
}

/**
 * The members beside `error` of a 429 `credits_exhausted` (docs/spec/credits.md 10.8).
 * `reduce_page_size` is absent if no smaller page is within the balance.
 */
export function exhaustedBody(exhaustion: Exhaustion): ExhaustedBody {
  const { entry, required, remaining, resetAt, purchaseUrl } = exhaustion;
  return {
    credits: creditsBody(exhaustion, required),
    actions: [
      { type: 'purchase_credits', url: purchaseUrl },
      ...reducePageSize(entry, exhaustion, remaining),
      { type: 'wait', until: resetAt.toISOString() },
    ],
  };
}

/** The sentence of the error. */
export function exhaustedMessage({ required, remaining }: Exhaustion): string {
  return (
    `This call can cost up to ${textOfCredits(required)}, but ${textOfCredits(remaining)} ` +
    `${remaining === 1 ? 'remains' : 'remain'}. Retry after the reset, ` +
    'or when the account has more credits.'
  );
}

import type { PlanId } from '@vcds/credentials';
import type { RateCardEntry } from '../price/rate-card.ts';
import { creditsBody } from './credits-body.ts';
import { reducePageSize, textOfCredits } from './reduce-page-size.ts';

/** A call that costs more than the balance. */
export interface Exhaustion {
  readonly entry: RateCardEntry;
  /** Credits the call needed: its ceiling. */
  readonly required: number;
  /** How many expands it asked for. */
  readonly expands: number;
  /** As in QuoteInput. */
  readonly unitsPerItem?: number | undefined;
  /** Whether it asked for a total, whose price is flat. */
  readonly countOnly: boolean;
  readonly plan: PlanId;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
  /** Where more credits are bought. */
  readonly purchaseUrl: string;
}

/**
 * The members beside `error` of a 429 `credits_exhausted` (docs/spec/credits.md 10.8).
 * `reduce_page_size` is absent if no smaller page is within the balance.
 */
export function exhaustedBody(exhaustion: Exhaustion) {
  const { entry, required, remaining, resetAt, purchaseUrl } = exhaustion;
  return {
    credits: creditsBody(exhaustion, required),
    actions: [
      { type: 'purchase_credits', url: purchaseUrl },
      ...reducePageSize(entry, exhaustion, remaining),
      { type: 'wait', until: resetAt.toISOString() },
    ],
  } as const;
}

/** The sentence of the error. */
export function exhaustedMessage({ required, remaining }: Exhaustion): string {
  return (
    `This call can cost up to ${textOfCredits(required)}, but ${textOfCredits(remaining)} ` +
    `${remaining === 1 ? 'remains' : 'remain'}. Retry after the reset, ` +
    'or when the account has more credits.'
  );
}

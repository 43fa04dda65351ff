import type { PlanId } from '@vcds/credentials';
import { affordableRecords } from '../price/quote.ts';
import type { RateCardEntry } from '../price/rate-card.ts';

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
  | {
      readonly type: 'reduce_page_size';
      readonly parameter: string;
      /** The largest page that the balance pays for. */
      readonly max: number;
    }
  | { readonly type: 'wait'; readonly until: string };

/** The members in addition to `error` in a `credits_exhausted` body. */
export interface ExhaustedBody {
  readonly credits: {
    readonly limit: number;
    readonly remaining: number;
    readonly required: number;
    readonly plan: PlanId;
    readonly reset: string;
  };
  readonly actions: readonly ExhaustedAction[];
}

/**
 * The members beside `error` of a 429 `credits_exhausted` (docs/spec/credits.md 10.8).
 * `reduce_page_size` has the name of the call's own parameter; it is absent if the price is flat
 *, or if the balance pays for no record.
 */
export function exhaustedBody(exhaustion: Exhaustion): ExhaustedBody {
  const { required, plan, limit, remaining, resetAt, purchaseUrl } = exhaustion;
  const reset = resetAt.toISOString();
  return {
    credits: { limit, remaining, required, plan, reset },
    actions: [
      { type: 'purchase_credits', url: purchaseUrl },
      ...reducePageSize(exhaustion),
      { type: 'wait', until: reset },
    ],
  };
}

/** The sentence of the error. */
export function exhaustedMessage({ required, remaining }: Exhaustion): string {
  return (
    `This call can cost up to ${credits(required)}, but ${credits(remaining)} ` +
    `${remaining === 1 ? 'remains' : 'remain'}. Retry after the reset, ` +
    'or when the account has more credits.'
  );
}

function reducePageSize(exhaustion: Exhaustion): ExhaustedAction[] {
  const { entry, countOnly, expands, remaining } = exhaustion;
  const parameter = entry.pageParameter;
  if (entry.flat || countOnly || parameter === null) return [];
  const max = affordableRecords(entry, { credits: remaining, expands });
  return max === undefined ? [] : [{ type: 'reduce_page_size', parameter, max }];
}

function credits(count: number): string {
  return count === 1 ? '1 credit' : `${count} credits`;
}

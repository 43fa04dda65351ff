import type { PlanId } from '@vcds/credentials';
import type { KeyBalance } from '../ledger/ledger.ts';
import type { RateCardEntry } from '../price/rate-card.ts';
import { creditsBody } from './credits-body.ts';
import { reducePageSize, textOfCredits } from './reduce-page-size.ts';

/** A call that costs more than the balance, or than the key has left of its own limit. */
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
  /** Of a key with a monthly limit. */
  readonly key: KeyBalance | null;
  /** Where more credits are bought, or the limit of the key is changed. */
  readonly url: string;
}

/**
 * The members beside `error` of a 429 `credits_exhausted` or `key_limit_reached`
 * (docs/spec/credits.md 10.8, 10.15). `reduce_page_size` is absent if no smaller page is within what
 * account and key have.
 */
export function exhaustedBody(
  exhaustion: Exhaustion,
  action: 'purchase_credits' | 'raise_key_limit' = 'purchase_credits',
) {
  const { entry, required, resetAt, url } = exhaustion;
  return {
    credits: creditsBody(exhaustion, required),
    actions: [
      { type: action, url },
      ...reducePageSize(entry, exhaustion, leftOf(exhaustion)),
      { type: 'wait', until: resetAt.toISOString() },
    ],
  } as const;
}

function leftOf({ remaining, key }: Exhaustion): number {
  return Math.min(remaining, key?.remaining ?? remaining);
}

/** The sentence of a `key_limit_reached`. */
export function keyLimitMessage({ required, key }: Exhaustion): string {
  const [left, limit] = [key?.remaining ?? 0, key?.limit ?? 0];
  return (
    `This call can cost up to ${textOfCredits(required)}, but ${textOfCredits(left)} ` +
    `${left === 1 ? 'remains' : 'remain'} of the ${textOfCredits(limit)} that this key may use a ` +
    'month. Retry after the reset, or when the owner of the account has raised the limit.'
  );
}

/** The sentence of a `credits_exhausted`. */
export function exhaustedMessage({ required, remaining }: Exhaustion): string {
  return (
    `This call can cost up to ${textOfCredits(required)}, but ${textOfCredits(remaining)} ` +
    `${remaining === 1 ? 'remains' : 'remain'}. Retry after the reset, ` +
    'or when the account has more credits.'
  );
}

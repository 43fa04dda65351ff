import type { Quote, QuoteInput } from '../price/quote.ts';
import type { RateCardEntry } from '../price/rate-card.ts';
import { reducePageSize, textOfCredits } from './reduce-page-size.ts';

/** The request header with the most credits that a call may cost. */
export const CREDITS_MAX_HEADER = 'X-Credits-Max';

/** The member `quote` of a response (docs/spec/credits.md 10.12). */
export function quoteBody({ ceiling, floor, terms }: Quote) {
  return {
    credits_max: ceiling,
    credits_min: floor,
    base: terms.base,
    per_record: terms.perRecord,
    expands: terms.expands,
    records_max: terms.recordsMax,
  };
}

/** A call whose maximum price is above the limit of its header. */
export interface AboveLimit {
  readonly rate: RateCardEntry;
  readonly quote: Quote;
  readonly input: QuoteInput;
  /** Credits. */
  readonly limit: number;
}

/** The members beside `error` of a 400 `price_above_limit` (docs/spec/credits.md 10.13). */
export function aboveLimitBody({ rate, quote, input, limit }: AboveLimit) {
  return {
    quote: quoteBody(quote),
    actions: [
      ...reducePageSize(rate, input, limit),
      { type: 'raise_limit', parameter: CREDITS_MAX_HEADER, min: quote.ceiling },
    ],
  } as const;
}

/** The sentence of the error. */
export function aboveLimitMessage({ quote, limit }: AboveLimit): string {
  return (
    `This call can cost up to ${textOfCredits(quote.ceiling)}, more than the ` +
    `${textOfCredits(limit)} of ${CREDITS_MAX_HEADER}. It did not run.`
  );
}

import { affordableRecords, type QuoteInput } from '../price/quote.ts';
import type { RateCardEntry } from '../price/rate-card.ts';

/** The remedy of a call that costs too much: a smaller page. */
export interface ReducePageSize {
  readonly type: 'reduce_page_size';
  /** The parameter of the call: `$top` or `limit`. */
  readonly parameter: string;
  /** The largest page that costs no more than the credits. */
  readonly max: number;
}

/** The remedy, or nothing if the price is flat or not even one record is within the credits. */
export function reducePageSize(
  entry: RateCardEntry,
  { expands, countOnly }: Pick<QuoteInput, 'expands' | 'countOnly'>,
  credits: number,
): readonly ReducePageSize[] {
  const parameter = entry.pageParameter;
  if (entry.flat || countOnly || parameter === null) return [];
  const max = affordableRecords(entry, { credits, expands });
  return max === undefined ? [] : [{ type: 'reduce_page_size', parameter, max }];
}

/** `1 credit`, `2 credits`. */
export function textOfCredits(count: number): string {
  return count === 1 ? '1 credit' : `${count} credits`;
}

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
  { expands, countOnly, unitsPerItem = 1 }: Omit<QuoteInput, 'ceilingRecords'>,
  credits: number,
): readonly ReducePageSize[] {
  const parameter = entry.pageParameter;
  if (entry.flat || countOnly || parameter === null) return [];
  const units = affordableRecords(entry, { credits, expands });
  const max = Math.floor((units ?? 0) / unitsPerItem);
  return max < 1 ? [] : [{ type: 'reduce_page_size', parameter, max }];
}

/** `1 credit`, `2 credits`. */
export function textOfCredits(count: number): string {
  return count === 1 ? '1 credit' : `${count} credits`;
}

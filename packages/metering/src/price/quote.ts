import { PRICE_CLASSES } from './price-classes.ts';
import type { RateCardEntry } from './rate-card.ts';

/** Within these bounds every product below is far below 2^53, so it is exact. */
const RECORDS_MAX = 1_000_000;
const EXPANDS_MAX = 100;
/** A weight and the surcharge of an expand are both in quarters: prices are in sixteenths. */
const SIXTEENTHS = 16;
const QUARTERS = 4;

/** The inputs of a quote, available before the call runs. */
export interface QuoteInput {
  /** The most records the call can return: its page size, 1 for a single record. */
  readonly ceilingRecords: number;
  /** How many expands the call asks for. */
  readonly expands: number;
  /**
   * The most units that one item of a page costs, where items have different prices: `ceilingRecords`
   * is then the number of units. Default 1.
   */
  readonly unitsPerItem?: number | undefined;
  /** `$count=true`: one credit, whatever is counted (docs/spec/credits.md 10.3 rule 5). */
  readonly countOnly: boolean;
}

/** The price of one call: its maximum, its minimum, and its price for a number of records. */
export interface Quote {
  /** Credits to reserve before the call runs. */
  readonly ceiling: number;
  /** Credits of a call without a record. */
  readonly floor: number;
  /** The numbers of the formula. */
  readonly terms: QuoteTerms;
  /**
   * Credits to charge for that many records. Rises with the records, never above the ceiling.
   *
   * @throws RangeError for more records than quoted for.
   */
  settle(records: number): number;
}

/** `ceiling` = max(minimum, ⌈base + recordsMax × perRecord × (1 + 0.25 × expands)⌉). */
export interface QuoteTerms {
  readonly base: number;
  /** Credits for each record without expands; 0 for a flat price. */
  readonly perRecord: number;
  readonly expands: number;
  readonly recordsMax: number;
}

/** The inputs of a price. */
export type Rate = Pick<RateCardEntry, 'base' | 'perRecordQuarters' | 'minimum' | 'expands'>;

/**
 * Prices a call before it runs (docs/spec/credits.md 10.1): max(1, ceil(base + records × per record
 * × (1 + 0.25 × expands))), in whole sixteenths of a credit, so exactly. A free call costs 0.
 *
 * @throws RangeError for numbers that are not whole or out of bounds, and for expands on an
 *   endpoint that has none.
 */
export function quote(entry: Rate, { ceilingRecords, expands, countOnly }: QuoteInput): Quote {
  assertWhole('ceilingRecords', ceilingRecords, RECORDS_MAX);
  assertWhole('expands', expands, EXPANDS_MAX);
  if (expands > 0 && entry.expands.length === 0) {
    throw new RangeError('An endpoint without expands is quoted with some.');
  }
  const rate = countOnly && entry.minimum > 0 ? { ...PRICE_CLASSES.totals, expands: [] } : entry;
  return Object.freeze({
    ceiling: price(rate, ceilingRecords, expands),
    floor: price(rate, 0, expands),
    terms: Object.freeze({
      base: rate.base,
      perRecord: rate.perRecordQuarters / QUARTERS,
      expands,
      recordsMax: ceilingRecords,
    }),
    settle(records: number): number {
      assertWhole('records', records, ceilingOf(rate, ceilingRecords));
      return price(rate, records, expands);
    },
  });
}

/**
 * The most records a call may ask for so that its ceiling is within the credits; undefined when
 * not even one is, or when the price does not depend on the records.
 */
export function affordableRecords(
  entry: Rate,
  { credits, expands }: { readonly credits: number; readonly expands: number },
): number | undefined {
  if (entry.perRecordQuarters === 0 || credits < 1) return undefined;
  assertWhole('expands', expands, EXPANDS_MAX);
  const spare = (Math.min(credits, RECORDS_MAX) - entry.base) * SIXTEENTHS;
  const records = floorDivide(spare, entry.perRecordQuarters * (QUARTERS + expands));
  return records < 1 ? undefined : Math.min(records, RECORDS_MAX);
}

function price(rate: Rate, records: number, expands: number): number {
  const recordSixteenths = records * rate.perRecordQuarters * (QUARTERS + expands);
  const credits = rate.base + ceilDivide(recordSixteenths, SIXTEENTHS);
  return Math.max(rate.minimum, credits);
}

// With a flat price the number of records is not bounded.
function ceilingOf(rate: Rate, ceilingRecords: number): number {
  return rate.perRecordQuarters === 0 ? Number.MAX_SAFE_INTEGER : ceilingRecords;
}

function ceilDivide(dividend: number, divisor: number): number {
  return floorDivide(dividend + divisor - 1, divisor);
}

// Exact: the remainder is subtracted before the division.
function floorDivide(dividend: number, divisor: number): number {
  return (dividend - (dividend % divisor)) / divisor;
}

function assertWhole(name: string, value: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > max) {
    throw new RangeError(`${name} must be a whole number from 0 to ${max}, not ${value}.`);
  }
}

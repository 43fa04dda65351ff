import {
  aboveLimitBody,
  aboveLimitMessage,
  CREDITS_MAX_HEADER,
  creditsBody,
  type Quote,
  type QuoteInput,
  quote,
  quoteBody,
  type RateCardEntry,
} from '@vcds/metering';
import { ApiError } from '@vcds/service-kit';
import type { Meter } from '../credits/meter.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { type Format, typeHeaders } from './format.ts';
import type { Reply } from './reply.ts';
import { badParameter } from './request/parameter-reader.ts';
import type { IntegerParameter } from './request/parameters.ts';

/** The header with the most credits that a call may cost; every endpoint accepts it. */
export const CREDITS_MAX: IntegerParameter = {
  kind: 'integer',
  name: CREDITS_MAX_HEADER,
  ...{ min: 0, max: 9_999_999_999, default: 9_999_999_999, example: 25 },
  description: 'The most credits that the call may cost; a call with a higher price is rejected.',
};

/** The price of a planned call. */
export interface Price {
  readonly rate: RateCardEntry;
  readonly input: QuoteInput;
  readonly quote: Quote;
}

const NO_RECORDS: QuoteInput = { ceilingRecords: 0, expands: 0, countOnly: false };

export function priceOf(endpoint: Endpoint, plan: unknown): Price {
  const { rate } = endpoint;
  const input = { ...NO_RECORDS, ...endpoint.price?.(plan) };
  return { rate, input, quote: quote(rate, input) };
}

/**
 * Checks the price against the limit in `X-Credits-Max` (docs/spec/credits.md 10.13). A quote costs
 * nothing, so only the form of the header is checked for one.
 *
 * @throws ApiError `bad_parameter`, `price_above_limit`.
 */
export function assertWithinLimit({ request }: Call, price: Price, isQuote: boolean): void {
  const value = request.get(CREDITS_MAX_HEADER);
  if (value === undefined) return;
  if (!/^\d{1,10}$/.test(value)) {
    const message = `Header ${CREDITS_MAX_HEADER} must be one whole number of at most 10 digits.`;
    throw badParameter(CREDITS_MAX_HEADER, value, message);
  }
  const above = { ...price, limit: Number(value) };
  if (isQuote || price.quote.ceiling <= above.limit) return;
  throw new ApiError('price_above_limit', aboveLimitMessage(above), {
    parameter: CREDITS_MAX_HEADER,
    value,
    see: '/pricing',
    beside: { ...aboveLimitBody(above) },
  });
}

/** The response to HEAD: the call is checked, not run, and its greatest price is in a header, for 0 credits. */
export async function replyToHead(
  call: Call,
  price: Price,
  format: Format,
  meter: Meter,
): Promise<Reply> {
  call.credits = await meter.report(call.principal);
  const greatest = { 'X-Credits-Max-Price': String(price.quote.ceiling) };
  return { body: '', headers: { ...typeHeaders(call, format), ...greatest } };
}

/** The response to `quote=true`: the price of the call and the balance, for 0 credits. */
export async function replyWithQuote(call: Call, price: Price, meter: Meter): Promise<Reply> {
  const { plan } = call.principal;
  call.credits = await meter.report(call.principal);
  const credits = creditsBody({ ...call.credits, plan }, price.quote.ceiling);
  return { body: JSON.stringify({ quote: quoteBody(price.quote), credits }), headers: {} };
}

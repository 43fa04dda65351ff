/** The errors of calls that the ledger does not accept. */
import {
  type Balance,
  exhaustedBody,
  exhaustedMessage,
  keyLimitMessage,
  type NotCharged,
  ONCE_KEYS_MAX,
} from '@vcds/metering';
import { ApiError } from '@vcds/service-kit';
import type { PricedCall } from './meter.ts';

/** The header with the idempotency key of a call. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** Where a person changes what a call may cost. */
export interface RemedyUrls {
  /** The page on which an account buys more credits. */
  readonly purchaseUrl: string;
  /** The page on which the monthly limit of a key is changed. */
  readonly keyLimitUrl: (keyId: string) => string;
}

/** `key_limit_reached` if the account itself has the credits, else `credits_exhausted`. */
export function exhausted(
  { call, rate, quote, input }: PricedCall,
  { limit, remaining, resetAt, key }: Balance,
  urls: RemedyUrls,
  nowMs: number,
): ApiError {
  const { plan, keyId } = call.principal;
  const isOfKey = remaining >= quote.ceiling;
  const exhaustion = {
    entry: rate,
    required: quote.ceiling,
    ...{ expands: input.expands, unitsPerItem: input.unitsPerItem, countOnly: input.countOnly },
    ...{ plan, limit, remaining, resetAt, key },
    url: isOfKey ? urls.keyLimitUrl(keyId) : urls.purchaseUrl,
  };
  const message = isOfKey ? keyLimitMessage(exhaustion) : exhaustedMessage(exhaustion);
  const action = isOfKey ? 'raise_key_limit' : 'purchase_credits';
  return new ApiError(isOfKey ? 'key_limit_reached' : 'credits_exhausted', message, {
    retryAfterSeconds: (resetAt.getTime() - nowMs) / 1000,
    beside: { ...exhaustedBody(exhaustion, action) },
  });
}

/** Why a call with an idempotency key is not charged. */
export function onceError({ status }: Exclude<NotCharged, { status: 'repeated' }>): ApiError {
  const parameter = IDEMPOTENCY_KEY_HEADER;
  if (status === 'mismatch') {
    const message =
      'This Idempotency-Key was charged for another request in the last 24 hours. Send the same path and ' +
      'parameters, or a new key.';
    return new ApiError('idempotency_mismatch', message, { parameter });
  }
  const message =
    `The account has ${ONCE_KEYS_MAX} idempotency keys of the last 24 hours, which is the most. Send the ` +
    'call without a key, or later.';
  return new ApiError('too_many_requests', message, { parameter, retryAfterSeconds: 600 });
}

/** Errors on demand (docs/spec/sandbox.md 29.5). */
import type { IncomingMessage } from 'node:http';
import { CREDITS_MAX_HEADER } from '@vcds/metering';
import { unauthorized } from '@vcds/service-kit';
import {
  ApiError,
  ERROR_MEANINGS,
  type ErrorCode,
  type ErrorDetails,
} from '@vcds/service-kit/api-errors';
import { ERROR_HEADER } from '../serve/sandbox-headers.ts';

/** Every code that can be requested. */
export const REQUESTABLE: readonly ErrorCode[] = Object.keys(ERROR_MEANINGS).sort() as ErrorCode[];

/** Codes of the call itself: it is made such that the product answers them. */
const NATURAL: ReadonlySet<ErrorCode> = new Set([
  'credits_exhausted',
  'not_entitled',
  'price_above_limit',
]);

/** Codes that come before the authentication, or from the access API: their responses report no credits. */
const EARLY: ReadonlySet<ErrorCode> = new Set([
  ...(['unauthorized', 'https_required', 'origin_not_allowed', 'bad_request'] as const),
  ...(['request_timeout', 'body_too_large', 'url_too_long', 'headers_too_large'] as const),
  ...(['unsupported_media_type', 'bad_json', 'email_required', 'missing_fields'] as const),
  ...(['wrong_code', 'too_many_keys', 'invalid_or_expired', 'too_many_attempts'] as const),
]);

/** The details of errors, as in production. */
const DETAILS: Readonly<Partial<Record<ErrorCode, ErrorDetails>>> = {
  bad_parameter: { parameter: '$top' },
  top_above_plan: { parameter: '$top' },
  unknown_parameter: { parameter: 'limit', suggestion: '$top' },
  unknown_field: { field: 'Nmae', suggestion: 'Name' },
  field_not_filterable: { field: 'Investors' },
  idempotency_mismatch: { parameter: 'Idempotency-Key' },
  method_not_allowed: { allow: ['GET', 'HEAD', 'OPTIONS'] },
  too_many_requests: { retryAfterSeconds: 1 },
  site_refused: { retryAfterSeconds: 60 },
  wrong_code: { beside: { attempts_left: 4 } },
};

/**
 * The code that a call asks for.
 *
 * @throws ApiError `bad_parameter`, which lists the codes, for an unknown one.
 */
export function requestedError({ headers }: IncomingMessage): ErrorCode | undefined {
  const value = headers[ERROR_HEADER.toLowerCase()];
  if (value === undefined) return undefined;
  const code = REQUESTABLE.find((each) => each === value);
  if (code === undefined) {
    const message = `${ERROR_HEADER} must be the code of an error; \`errors\` lists them.`;
    throw new ApiError('bad_parameter', message, {
      ...{ parameter: ERROR_HEADER, value: String(value), beside: { errors: REQUESTABLE } },
      isRequested: true,
    });
  }
  // A call that costs anything is above this limit.
  if (code === 'price_above_limit') headers[CREDITS_MAX_HEADER.toLowerCase()] = '0';
  return code;
}

/** @throws ApiError the requested error, if it comes before the authentication. */
export function assertNotEarly(code: ErrorCode | undefined): void {
  if (code !== undefined && EARLY.has(code)) throw errorOf(code);
}

/** @throws ApiError the requested error, unless the call itself leads to it. */
export function assertNoneRequested(request: IncomingMessage): void {
  const code = requestedError(request);
  if (code !== undefined && !NATURAL.has(code)) throw errorOf(code);
}

function errorOf(code: ErrorCode): ApiError {
  if (code === 'unauthorized') {
    const { message, details } = unauthorized('unknown');
    return new ApiError(code, message, { ...details, isRequested: true });
  }
  const message = `${ERROR_MEANINGS[code]} Requested with ${ERROR_HEADER}.`;
  return new ApiError(code, message, { ...DETAILS[code], isRequested: true });
}

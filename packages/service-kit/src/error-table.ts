/**
 * Every error code of both services with its HTTP status (docs/spec/errors.md 11.2, 11.1). No
 * prototype, so that `constructor` is not a code.
 */
export const ERRORS = Object.freeze({
  __proto__: null,
  unknown_parameter: 400,
  unknown_field: 400,
  unknown_relation: 400,
  field_not_filterable: 400,
  operator_not_supported: 400,
  unknown_value: 400,
  unknown_dimension: 400,
  unknown_entity: 400,
  unknown_signal_type: 400,
  bad_cursor: 400,
  bad_date: 400,
  bad_filter: 400,
  bad_parameter: 400,
  top_above_plan: 400,
  price_above_limit: 400,
  bad_json: 400,
  bad_request: 400,
  email_required: 400,
  missing_fields: 400,
  unauthorized: 401,
  wrong_code: 401,
  not_entitled: 403,
  https_required: 403,
  origin_not_allowed: 403,
  not_found: 404,
  unknown_path: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  invalid_or_expired: 410,
  body_too_large: 413,
  url_too_long: 414,
  unsupported_media_type: 415,
  headers_too_large: 431,
  credits_exhausted: 429,
  too_many_attempts: 429,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
} as const);

export type ErrorCode = Exclude<keyof typeof ERRORS, '__proto__'>;

/** The cause of each code, in one sentence (docs/spec/errors.md 11.2). */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = Object.freeze({
  unknown_parameter: 'The endpoint has no such parameter.',
  unknown_field: 'The resource has no such field.',
  unknown_relation: 'The resource has no such relation.',
  field_not_filterable: 'A filter or order uses a field that does not support it.',
  operator_not_supported: 'The field does not support the operator.',
  unknown_value: 'The dimension or field has no such value.',
  unknown_dimension: 'There is no such dimension, or the entity does not have it.',
  unknown_entity: 'There is no such entity.',
  unknown_signal_type: 'There is no such type of signal.',
  bad_cursor: 'The cursor was modified, or belongs to the other order.',
  bad_date: 'A date is invalid, or two bounds are reversed.',
  bad_filter: '`$filter` cannot be parsed or exceeds a bound.',
  bad_parameter: 'A parameter is out of range, malformed, empty or duplicate.',
  price_above_limit: 'The maximum price of the call is above the limit in X-Credits-Max.',
  top_above_plan: 'The page size is above the ceiling of the plan.',
  bad_json: 'The body is not valid JSON.',
  bad_request: 'The request is not well-formed HTTP/1.1, or does not have exactly one `Host`.',
  email_required: 'The field `email` is missing.',
  missing_fields: 'A required field is missing.',
  unauthorized: 'There is no valid credential; `reason` says why.',
  wrong_code: 'The code is wrong; `attempts_left` says how many attempts remain.',
  not_entitled: 'The plan or the key does not include the scope.',
  https_required: 'The request used plain HTTP.',
  origin_not_allowed: 'A page calls this host under a name that is not its own (DNS rebinding).',
  not_found: 'There is no record with this id.',
  unknown_path: 'There is no such path.',
  method_not_allowed: 'The path does not support the method; `Allow` lists those it supports.',
  request_timeout: 'The request did not arrive in time.',
  invalid_or_expired: 'There is no open registration.',
  body_too_large: 'The body is too large.',
  url_too_long: 'The URL is too long.',
  unsupported_media_type: 'The body is not JSON.',
  headers_too_large: 'The URL and headers together are too large.',
  credits_exhausted: 'The maximum price of the call exceeds the balance.',
  too_many_attempts: 'Too many wrong codes; register again.',
  too_many_requests: 'The account or network exceeds its rate; retry after `Retry-After` seconds.',
  internal_error: 'A bug. It has been logged; retry once after `Retry-After` seconds.',
  unavailable: 'A dependency is unavailable, or a time limit was exceeded.',
});

/** Why a credential was rejected (docs/spec/authentication.md 2.2). */
export type UnauthorizedReason = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired';

/** The HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return ERRORS[code];
}

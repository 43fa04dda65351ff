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
  bad_json: 400,
  bad_request: 400,
  email_required: 400,
  missing_fields: 400,
  unauthorized: 401,
  wrong_code: 401,
  not_entitled: 403,
  https_required: 403,
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

/** Why a credential was rejected (docs/spec/authentication.md 2.2). */
export type UnauthorizedReason = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired';

/** The HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return ERRORS[code];
}

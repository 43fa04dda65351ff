/** How an error code answers: its status, and when it is given (for the documentation). */
export interface ErrorEntry {
  readonly status: number;
  readonly when: string;
}

const row = (status: number, when: string): ErrorEntry => Object.freeze({ status, when });

/**
 * Every error code of both services (spec §7, decisions §4). The only place that maps a code to
 * a status. No prototype, so that `constructor` is not a code.
 */
export const ERRORS = Object.freeze({
  __proto__: null,
  unknown_parameter: row(400, 'A parameter nothing reads.'),
  unknown_field: row(400, 'A field the resource does not have.'),
  unknown_relation: row(400, 'A relation in $expand the resource does not have.'),
  field_not_filterable: row(400, 'Filter or sort on a field that does not take it.'),
  operator_not_supported: row(400, 'Operator not allowed on the field.'),
  unknown_value: row(400, 'A value not in the dimension.'),
  unknown_dimension: row(400, 'Dimension id unknown.'),
  unknown_entity: row(400, 'Entity not startups, funds or rounds.'),
  unknown_signal_type: row(400, 'A type not in /signals/types.'),
  bad_cursor: row(400, 'Cursor invalid.'),
  bad_date: row(400, 'Date invalid.'),
  bad_filter: row(400, 'A $filter that cannot be read.'),
  bad_parameter: row(400, 'A parameter out of range, of the wrong type, or given twice.'),
  top_above_plan: row(400, 'A page size above what the plan allows.'),
  bad_json: row(400, 'A request body that is not JSON.'),
  bad_request: row(400, 'A request that is not well-formed HTTP, or names no host.'),
  email_required: row(400, 'Register without an e-mail address.'),
  missing_fields: row(
    400,
    'Verify without a code, or without request_id or email; a token exchange without credentials.',
  ),
  unauthorized: row(401, 'No valid key: missing, malformed, unknown, revoked or expired.'),
  wrong_code: row(401, 'A wrong six-digit code.'),
  not_entitled: row(403, 'A valid key without entitlement to the endpoint.'),
  https_required: row(403, 'A call over plain HTTP.'),
  not_found: row(404, 'No record with that id.'),
  unknown_path: row(404, 'No endpoint at that path.'),
  method_not_allowed: row(405, 'The endpoint does not take this method.'),
  request_timeout: row(408, 'The request did not arrive in time.'),
  invalid_or_expired: row(410, 'No open registration: expired, already used, or never existed.'),
  body_too_large: row(413, 'A request body above the limit.'),
  url_too_long: row(414, 'A URL above 128 KiB.'),
  unsupported_media_type: row(415, 'A request body of a type the endpoint does not read.'),
  headers_too_large: row(431, 'URL and headers together above 256 KiB.'),
  credits_exhausted: row(429, 'Out of credits.'),
  too_many_attempts: row(429, 'Five wrong codes; the registration is dead.'),
  too_many_requests: row(429, 'Too many calls of this kind; wait as Retry-After says.'),
  internal_error: row(500, 'A fault of the service.'),
  unavailable: row(503, 'Something the service needs is out of reach.'),
} as const);

export type ErrorCode = Exclude<keyof typeof ERRORS, '__proto__'>;

/** Why a credential was refused (decisions §4). */
export const UNAUTHORIZED_REASONS = [
  'missing',
  'malformed',
  'unknown',
  'revoked',
  'expired',
] as const;
export type UnauthorizedReason = (typeof UNAUTHORIZED_REASONS)[number];

/** The status of a code. */
export function statusOf(code: ErrorCode): number {
  return ERRORS[code].status;
}

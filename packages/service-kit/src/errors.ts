import { cutText } from './cut-text.ts';
import { type ErrorCode, statusOf, type UnauthorizedReason } from './error-table.ts';
import { redact } from './redact.ts';

/** Maximum number of `allowed` values in an error body (docs/spec/errors.md 11.1). */
const ALLOWED_MAX = 50;
/** Maximum length of an echoed value, in characters. */
const ECHO_LENGTH_MAX = 200;
const MESSAGE_LENGTH_MAX = 1_000;
// Longer than any part of a secret that the rules of redact do not match.
const CUT_MARGIN = 256;
/** Retry-After of 5xx responses (docs/spec/errors.md 11.5). */
const SERVER_ERROR_RETRY_SECONDS = 30;

/** The optional members of an error. */
export interface ErrorDetails {
  /** The invalid field of the resource. */
  readonly field?: string | undefined;
  /** The invalid parameter. */
  readonly parameter?: string | undefined;
  /** The invalid text as sent; truncated to 200 characters, secrets redacted. */
  readonly value?: string | number | boolean | undefined;
  /** Character offset in `$filter`, from 0. */
  readonly position?: number | undefined;
  /** Valid alternatives; truncated to 50. */
  readonly allowed?: readonly (string | number)[] | undefined;
  /**
   * The valid text in place of the invalid one (docs/spec/errors.md). Omitted if it is longer than
   * 1,000 characters or contains a secret, because a part of it would not be valid.
   */
  readonly suggestion?: string | undefined;
  /** The URL with more information, as `seeUrl` builds it. */
  readonly see?: string | undefined;
  /** Why a credential was rejected; only with `unauthorized`. */
  readonly reason?: UnauthorizedReason | undefined;
  /** The WWW-Authenticate header; default: a key as Bearer. */
  readonly challenge?: string | undefined;
  /** It is an access token of an assistant: a key does not repair it. */
  readonly isAccessToken?: boolean | undefined;
  /** Sent as the Retry-After header, whole seconds. */
  readonly retryAfterSeconds?: number | undefined;
  /** Sent as the Allow header; only with `method_not_allowed`. */
  readonly allow?: readonly string[] | undefined;
  /** A caller of the sandbox asked for the error: it is not logged, and a header says so. */
  readonly isRequested?: boolean | undefined;
  /** The id that a record has now, and the URL of the call for it; only with `moved_permanently`. */
  readonly id?: string | undefined;
  readonly location?: string | undefined;
  /** Members beside `error` in the body: credits, actions, attempts_left. */
  readonly beside?: Readonly<Record<string, unknown>> | undefined;
}

const BEARER = 'Bearer realm="api"';

/**
 * An error of the API: a code of the table, a sentence for a person, details. Any other error that
 * is thrown is a bug and results in 500 `internal_error`.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(
    code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/**
 * The result of a store.
 *
 * @throws ApiError `unavailable`, with the store's error as its cause, if the store fails.
 */
export async function orUnavailable<T>(
  result: Promise<T>,
  message = 'The service is temporarily unavailable. Retry later.',
): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw new ApiError('unavailable', message, {}, { cause: error });
  }
}

/** The body of an error response (docs/spec/errors.md 11.1). */
export interface ProblemBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly status: number;
    readonly trace_id: string;
    readonly [detail: string]: unknown;
  };
  readonly [beside: string]: unknown;
}

/**
 * The JSON body of an error. Echoed values are bounded, and text that looks like a key, a token or
 * a code is redacted.
 */
export function problemBody(error: ApiError, traceId: string): ProblemBody {
  const { field, parameter, value, position, allowed, suggestion, see, reason, id, beside } =
    error.details;
  const meant = suggestion !== undefined && isWhole(suggestion) ? suggestion : undefined;
  return {
    error: {
      code: error.code,
      message: bounded(error.message, MESSAGE_LENGTH_MAX),
      status: error.status,
      trace_id: traceId,
      ...(field === undefined ? {} : { field: bounded(field) }),
      ...(parameter === undefined ? {} : { parameter: bounded(parameter) }),
      ...(value === undefined ? {} : { value: typeof value === 'string' ? bounded(value) : value }),
      ...(position === undefined ? {} : { position }),
      ...(allowed === undefined ? {} : { allowed: allowed.slice(0, ALLOWED_MAX) }),
      ...(meant === undefined ? {} : { suggestion: meant }),
      ...(see === undefined ? {} : { see: redact(see) }),
      ...(reason === undefined ? {} : { reason }),
      ...(id === undefined ? {} : { id }),
    },
    ...beside,
  };
}

/** The headers of an error response in addition to those of every response. */
export function problemHeaders(error: ApiError): Record<string, string> {
  const { retryAfterSeconds, allow, location, challenge = BEARER } = error.details;
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (retryAfterSeconds !== undefined) {
    headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  } else if (error.status >= 500) {
    headers['Retry-After'] = String(SERVER_ERROR_RETRY_SECONDS);
  }
  if (location !== undefined) headers.Location = location;
  if (allow !== undefined) headers.Allow = allow.join(', ');
  if (error.details.isRequested === true) headers['X-Sandbox-Error'] = error.code;
  // RFC 9110 §11.6.1: a 401 response has a challenge.
  if (error.code === 'unauthorized') headers['WWW-Authenticate'] = challenge;
  return headers;
}

/** The API error for anything thrown: itself if it is one, else a 500 without details. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError(
    'internal_error',
    'The service failed to process this request. The error has been logged. Retry later.',
    {},
    { cause: thrown },
  );
}

function isWhole(suggestion: string): boolean {
  return suggestion.length <= MESSAGE_LENGTH_MAX && redact(suggestion) === suggestion;
}

/**
 * Text that is safe to echo: secrets redacted, truncated to `lengthMax` characters. The text is cut before it is
 * redacted, so the work does not depend on its length.
 */
export function bounded(text: string, lengthMax = ECHO_LENGTH_MAX): string {
  if (text.length <= lengthMax + CUT_MARGIN) return cut(redact(text), lengthMax);
  // The cut may have split a secret; the rest of it is within the margin, which is dropped.
  const clean = redact(text.slice(0, lengthMax + CUT_MARGIN));
  return `${cutText(clean, Math.max(0, Math.min(clean.length - CUT_MARGIN, lengthMax - 1)))}…`;
}

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${cutText(text, lengthMax - 1)}…`;
}

import { type ErrorCode, statusOf, type UnauthorizedReason } from './error-table.ts';
import { redact } from './redact.ts';

/** At most this many `allowed` values are listed in an error body (decisions §4). */
export const ALLOWED_MAX = 50;
/** Echoed values and messages are cut to this many characters. */
export const ECHO_LENGTH_MAX = 200;
const MESSAGE_LENGTH_MAX = 1_000;
// Longer than the part of a secret that no rule recognises once the rest is cut off.
const CUT_MARGIN = 256;
/** 5xx answers ask the client to wait this long (spec §7.1). */
export const SERVER_ERROR_RETRY_SECONDS = 30;

/** What an error may say beyond its code and message. */
export interface ErrorDetails {
  /** The field of the resource at fault. */
  readonly field?: string | undefined;
  /** The parameter at fault. */
  readonly parameter?: string | undefined;
  /** What was sent; cut to 200 characters, secrets blotted out. */
  readonly value?: string | number | boolean | undefined;
  /** Character offset in `$filter`, from 0. */
  readonly position?: number | undefined;
  /** What would have been accepted; cut to 50. */
  readonly allowed?: readonly (string | number)[] | undefined;
  /**
   * What was meant: valid in place of the fault (docs/spec/errors.md). Left out where it is longer than
   * 1,000 characters or holds a secret, because a part of it would not be valid.
   */
  readonly suggestion?: string | undefined;
  /** The URL that lists valid values, as `seeUrl` builds it. */
  readonly see?: string | undefined;
  /** Why a credential was refused; only with `unauthorized`. */
  readonly reason?: UnauthorizedReason | undefined;
  /** What would be accepted, for the WWW-Authenticate header; default: a key as Bearer. */
  readonly challenge?: string | undefined;
  /** Sent as the Retry-After header, whole seconds. */
  readonly retryAfterSeconds?: number | undefined;
  /** Sent as the Allow header; only with `method_not_allowed`. */
  readonly allow?: readonly string[] | undefined;
  /** Members that stand beside `error`: credits, actions, attempts_left. */
  readonly beside?: Readonly<Record<string, unknown>> | undefined;
}

const BEARER = 'Bearer realm="api"';

/**
 * A refusal the caller is told about: a code of the table, a sentence for a person, details.
 * Everything else that is thrown is a fault and answers 500 `internal_error`.
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
 * What a store answers.
 *
 * @throws ApiError `unavailable`, with the fault as its cause, when it does not.
 */
export async function orUnavailable<T>(
  answer: Promise<T>,
  message = 'This cannot be looked up at the moment; retry once later.',
): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new ApiError('unavailable', message, {}, { cause: error });
  }
}

/** The body of an error answer (decisions §4). */
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
 * The JSON body for an error. Values it echoes are bounded, and nothing that looks like a key,
 * a token or a code is let through, whatever the thrower put in.
 */
export function problemBody(error: ApiError, traceId: string): ProblemBody {
  const { field, parameter, value, position, allowed, suggestion, see, reason, beside } =
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
    },
    ...beside,
  };
}

/** The headers an error answer carries beyond the usual ones. */
export function problemHeaders(error: ApiError): Record<string, string> {
  const { retryAfterSeconds, allow, challenge = BEARER } = error.details;
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (retryAfterSeconds !== undefined) {
    headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  } else if (error.status >= 500) {
    headers['Retry-After'] = String(SERVER_ERROR_RETRY_SECONDS);
  }
  if (allow !== undefined) headers.Allow = allow.join(', ');
  // RFC 9110 §11.6.1: a 401 names a challenge.
  if (error.code === 'unauthorized') headers['WWW-Authenticate'] = challenge;
  return headers;
}

/** The refusal to give for anything thrown: itself if it is one, else a 500 that says nothing. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError(
    'internal_error',
    'The service failed to answer this request. The fault has been recorded; retry once later.',
    {},
    { cause: thrown },
  );
}

function isWhole(suggestion: string): boolean {
  return suggestion.length <= MESSAGE_LENGTH_MAX && redact(suggestion) === suggestion;
}

/**
 * Text safe to echo: secrets redacted, cut to `lengthMax` characters. The text is cut before it is
 * redacted, so the work does not depend on its length.
 */
export function bounded(text: string, lengthMax = ECHO_LENGTH_MAX): string {
  if (text.length <= lengthMax + CUT_MARGIN) return cut(redact(text), lengthMax);
  // The cut may have split a secret; what is left of one is within the margin, which is dropped.
  const clean = redact(text.slice(0, lengthMax + CUT_MARGIN)).slice(0, -CUT_MARGIN);
  return `${clean.slice(0, lengthMax - 1)}…`;
}

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;
}

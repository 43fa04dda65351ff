import type { components } from './generated/schema.ts';

/** Failures without a usable response of the service. */
export type ClientErrorCode =
  | 'network_error'
  | 'timeout'
  | 'response_too_large'
  | 'unexpected_redirect'
  | 'unexpected_response'
  | 'unknown_position';

/** A code of docs/spec/errors.md, or of the client. The access API and later versions have others. */
export type ErrorCode = ClientErrorCode | components['schemas']['ErrorCode'] | (string & {});

/** Credits that a call exceeding them is answered with (docs/spec/credits.md 10.8). */
export interface ExhaustedCredits {
  readonly limit: number;
  readonly remaining: number;
  /** The maximum price of the call. */
  readonly required: number;
  readonly plan: string;
  /** ISO 8601. */
  readonly reset: string;
  /** Of a key with a monthly limit of its own. */
  readonly key?: { readonly limit: number; readonly remaining: number | null };
}

/** A remedy that an error offers. */
export interface ErrorAction {
  readonly type:
    | 'purchase_credits'
    | 'raise_key_limit'
    | 'reduce_page_size'
    | 'raise_limit'
    | 'wait'
    | (string & {});
  readonly url?: string;
  readonly parameter?: string;
  readonly max?: number;
  readonly min?: number;
  readonly until?: string;
}

/** The price of a call (docs/spec/credits.md 10.1). */
export interface Quote {
  readonly credits_max: number;
  readonly credits_min: number;
  readonly base: number;
  readonly per_record: number;
  readonly expands: number;
  readonly records_max: number;
}

/** The members of a {@link VcdsError}. */
export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly message: string;
  /** The HTTP status; undefined if there was no response. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly field?: string | undefined;
  readonly parameter?: string | undefined;
  readonly value?: string | undefined;
  /** Offset in characters. */
  readonly position?: number | undefined;
  readonly allowed?: readonly string[] | undefined;
  /** The text to send instead. */
  readonly suggestion?: string | undefined;
  /** URL with the valid values. */
  readonly see?: string | undefined;
  /** The id that the record has now, of `moved_permanently`; the client follows it. */
  readonly id?: string | undefined;
  /** Why a key is invalid. */
  readonly reason?: string | undefined;
  readonly credits?: ExhaustedCredits | undefined;
  /** The price of a call that was rejected with `price_above_limit`. */
  readonly quote?: Quote | undefined;
  readonly actions?: readonly ErrorAction[] | undefined;
  /** Remaining attempts of a registration. */
  readonly attemptsLeft?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

const MEMBERS = [
  ...(['code', 'status', 'requestId', 'field', 'parameter', 'value', 'position'] as const),
  ...(['allowed', 'suggestion', 'see', 'reason', 'credits', 'quote', 'actions'] as const),
  ...(['attemptsLeft', 'retryAfterSeconds', 'id'] as const),
] as const;

const RETRYABLE_CODES: readonly ErrorCode[] = ['network_error', 'timeout', 'too_many_requests'];

/**
 * A call that failed: an error of the service (docs/spec/errors.md 11.1), or no usable response
 * ({@link ClientErrorCode}). Never contains the key. A call that the caller aborts throws the
 * reason of its signal instead.
 */
export class VcdsError extends Error {
  declare readonly code: ErrorCode;
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly field: string | undefined;
  declare readonly parameter: string | undefined;
  declare readonly value: string | undefined;
  declare readonly position: number | undefined;
  declare readonly allowed: readonly string[] | undefined;
  declare readonly suggestion: string | undefined;
  declare readonly see: string | undefined;
  declare readonly id: string | undefined;
  declare readonly reason: string | undefined;
  declare readonly credits: ExhaustedCredits | undefined;
  declare readonly quote: Quote | undefined;
  declare readonly actions: readonly ErrorAction[] | undefined;
  declare readonly attemptsLeft: number | undefined;
  declare readonly retryAfterSeconds: number | undefined;

  constructor({ message, ...details }: ErrorDetails, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'VcdsError';
    for (const name of MEMBERS) Object.assign(this, { [name]: details[name] });
  }

  /** Whether the same call can succeed later without a change (docs/spec/errors.md 11.5). */
  get retryable(): boolean {
    return RETRYABLE_CODES.includes(this.code) || (this.status ?? 0) >= 500;
  }
}

/** The error of a response that is not 2xx. */
export function errorOfResponse(
  status: number,
  text: string,
  requestId: string | undefined,
  retryAfterSeconds: number | undefined,
): VcdsError {
  const { error, attempts_left: attemptsLeft, ...beside } = bodyOf(text);
  const known = { status, retryAfterSeconds, requestId };
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    const code = status === 429 ? 'too_many_requests' : 'unexpected_response';
    return new VcdsError({ ...known, code, message: `The response has the status ${status}.` });
  }
  const { trace_id, ...details } = error as ErrorDetails & { readonly trace_id?: string };
  return new VcdsError({
    ...{ ...details, ...beside, ...known, attemptsLeft },
    requestId: requestId ?? trace_id,
  });
}

interface ErrorBody {
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
  readonly credits?: ExhaustedCredits;
  readonly quote?: Quote;
  readonly actions?: readonly ErrorAction[];
  readonly attempts_left?: number;
}

function bodyOf(text: string): ErrorBody {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

import { errorOfResponse, VcdsError } from './errors.ts';

/** Credits of a call (docs/spec/credits.md 10.5). */
export interface Credits {
  /** The price of the call; 0 for free calls. */
  readonly charged: number;
  /** The allowance of a month; null if the response does not say. */
  readonly limit: number | null;
  /** The balance after it, with purchased credits; null if the balance is unknown. */
  readonly remaining: number | null;
  /** When the allowance is refilled, ISO 8601; null if the response does not say. */
  readonly reset: string | null;
  /** Only of a key with a monthly limit of its own. */
  readonly key?: { readonly limit: number; readonly remaining: number | null };
}

/** A successful response. */
export interface ApiResponse<Data> {
  readonly data: Data;
  readonly credits: Credits;
  /** The `X-Request-Id`; name it in a question to the operator. */
  readonly requestId: string;
  /** Path and query of the next page, relative to the base URL; null on the last one. */
  readonly next: string | null;
  /** Whether more records follow, but the link to them would be too long: increase `$skip`. */
  readonly isNextOmitted: boolean;
  /** Sentences about values of `$filter` that occur nowhere, with the nearest ones that do. */
  readonly hints: readonly string[];
}

/** A response, successful or not, as `onResponse` receives it: no body, no key. */
export interface ResponseEvent {
  readonly method: 'GET' | 'POST';
  /** Path and query, relative to the base URL. */
  readonly path: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly credits: Credits;
}

/** How often a call is repeated (docs/spec/errors.md 11.5). */
export interface RetryOptions {
  /** After a 5xx, once its `Retry-After` (30 s) has passed. Default 1. */
  readonly serverErrors?: number;
  /** After a 429 `too_many_requests`, once its `Retry-After` has passed. Default 3. */
  readonly tooManyRequests?: number;
  /** An error that asks for a longer wait is thrown at once. Default 60. */
  readonly waitSecondsMax?: number;
}

export interface TransportOptions {
  readonly baseUrl: string;
  /** An API key; only ever sent to `baseUrl`, in a header. */
  readonly apiKey?: string | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** `false`: never repeat a call. */
  readonly retry?: RetryOptions | false | undefined;
  /** Of one attempt, from the request to the end of the body. Default 60 s. */
  readonly timeoutMs?: number | undefined;
  /** A larger response is an error. Default 64 MiB, decompressed. */
  readonly responseBytesMax?: number | undefined;
  /** Default: the name and version of this client. Browsers send their own. */
  readonly userAgent?: string | undefined;
  /** Waits, or rejects with the reason of the signal. Default: a timer. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** The clock: milliseconds since 1970. Default: that of the system. */
  readonly now?: (() => number) | undefined;
  /** Called after every response, also those of repeated calls. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
}

export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** Rejects the call with `price_above_limit`, for free, if it could cost more credits. */
  readonly creditsMax?: number | undefined;
  /** New for each call; the same call repeated with it within 24 hours is charged once. */
  readonly idempotencyKey?: string | undefined;
}

export interface TransportRequest extends CallOptions {
  readonly method?: 'GET' | 'POST';
  /** Path and query, relative to the base URL. */
  readonly path: string;
  readonly body?: object;
  /** The type of the response; the data of `text/csv` is its text. Default: JSON. */
  readonly accept?: 'text/csv' | undefined;
  /** In place of the client's own. */
  readonly apiKey?: string;
}

export type Transport = (request: TransportRequest) => Promise<ApiResponse<unknown>>;

export const VERSION = '2.1.0';
const DEFAULTS = { timeoutMs: 60_000, responseBytesMax: 64 * 1024 * 1024 } as const;
const RETRY = { serverErrors: 1, tooManyRequests: 3, waitSecondsMax: 60 } as const;
const HEADER_TEXT = /^[\x21-\x7e]+$/;

/** Sends requests below one base URL. */
export function createTransport(options: TransportOptions): Transport {
  const baseUrl = checkedBaseUrl(options.baseUrl);
  checkKey(options.apiKey);
  const { sleep = sleepMs } = options;
  const retry = options.retry === false ? NO_RETRY : { ...RETRY, ...options.retry };
  return async (request) => {
    checkKey(request.apiKey);
    const left = { server: retry.serverErrors, limited: retry.tooManyRequests };
    let asked = request;
    for (;;) {
      try {
        return await attempt(baseUrl, asked, options);
      } catch (error) {
        const moved = asked === request ? movedPath(asked, error) : undefined;
        if (moved !== undefined) {
          asked = { ...request, path: moved };
          continue;
        }
        const seconds = retryDelay(error, left);
        if (seconds === undefined || seconds > retry.waitSecondsMax) throw error;
        await sleep(seconds * 1000, request.signal);
      }
    }
  };
}

/** The path of the record that another was merged into; the address comes from the base URL alone. */
function movedPath({ path, method = 'GET' }: TransportRequest, error: unknown) {
  if (!(error instanceof VcdsError) || error.code !== 'moved_permanently') return undefined;
  const { id } = error;
  if (method !== 'GET' || id === undefined || !RECORD_ID.test(id)) return undefined;
  return path.replace(RECORD_PATH, `$1${id}`);
}

const RECORD_ID = /^[\da-f-]{36}$/;
const RECORD_PATH = /^(\/(?:startups|funds)\/)[\da-fA-F-]{36}/;
const NO_RETRY = { serverErrors: 0, tooManyRequests: 0, waitSecondsMax: 0 } as const;

/** The seconds to wait before another attempt, which it counts; undefined if there is none. */
function retryDelay(error: unknown, left: { server: number; limited: number }) {
  if (!(error instanceof VcdsError)) return undefined;
  const { status = 0, code, retryAfterSeconds } = error;
  if (status >= 500 && left.server-- > 0) return retryAfterSeconds ?? 30;
  if (code === 'too_many_requests' && left.limited-- > 0) return retryAfterSeconds ?? 1;
  return undefined;
}

async function attempt(
  baseUrl: string,
  request: TransportRequest,
  options: TransportOptions,
): Promise<ApiResponse<unknown>> {
  const { method = 'GET', path } = request;
  const { response, text } = await exchange(baseUrl + path, request, options);
  const { status, headers } = response;
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const credits = creditsOf(headers);
  options.onResponse?.({ method, path, status, requestId, credits });
  if (!response.ok) throw failureOf(response, text, requestId, (options.now ?? Date.now)());
  return {
    data: request.accept === undefined ? parsed(text, status, requestId) : text,
    credits,
    requestId: requestId ?? '',
    next: nextOf(headers.get('Link'), path),
    isNextOmitted: headers.get('X-Link-Omitted') === 'next',
    hints: hintsOf(headers.get('X-Hint')),
  };
}

function hintsOf(header: string | null): readonly string[] {
  return header?.split(', ').map(decoded) ?? [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function exchange(url: string, request: TransportRequest, options: TransportOptions) {
  const { timeoutMs, responseBytesMax } = { ...DEFAULTS, ...definedOf(options) };
  const { method = 'GET', body, signal } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method,
      headers: headersOf(request, options),
      redirect: 'manual',
      credentials: 'omit',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response, text: await readText(response, responseBytesMax) };
  } catch (error) {
    if (error instanceof VcdsError) throw error;
    if (signal?.aborted) throw signal.reason;
    const [code, message] = timeout.aborted
      ? ['timeout', `No complete response within ${timeoutMs} ms.`]
      : ['network_error', 'The request failed before a complete response arrived.'];
    throw new VcdsError({ code, message }, error);
  }
}

function headersOf(request: TransportRequest, options: TransportOptions): Record<string, string> {
  const { apiKey = options.apiKey, creditsMax, idempotencyKey, body } = request;
  const { accept = 'application/json' } = request;
  const headers: Record<string, string> = { Accept: accept };
  if (apiKey !== undefined) headers['X-Api-Key'] = apiKey;
  if (creditsMax !== undefined) headers['X-Credits-Max'] = String(creditsMax);
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  // Browsers have a User-Agent of their own; another one would need the consent of CORS.
  if (!('document' in globalThis || 'importScripts' in globalThis)) {
    headers['User-Agent'] = options.userAgent ?? `vcds-client/${VERSION}`;
  }
  return headers;
}

/** The text of a body, which is read no further than its bound. */
async function readText(response: Response, bytesMax: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > bytesMax) {
      await reader.cancel();
      const message = `The response has more than ${bytesMax} bytes.`;
      throw new VcdsError({ code: 'response_too_large', message, status: response.status });
    }
    text += decoder.decode(value, { stream: true });
  }
}

function failureOf(
  response: Response,
  text: string,
  requestId: string | undefined,
  nowMs: number,
): VcdsError {
  const { status, type, headers } = response;
  // The key must not reach another address. A browser hides the status of a redirect.
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (isRedirect && !text.includes('"moved_permanently"')) {
    const message = 'The service redirects; check the base URL.';
    return new VcdsError({ code: 'unexpected_redirect', message, status, requestId });
  }
  return errorOfResponse(status, text, requestId, secondsOf(headers, nowMs));
}

/**
 * A Retry-After in seconds: a number of them, or an HTTP date, which a proxy may send. A date is
 * compared with that of the response, so that the client's clock does not count.
 */
function secondsOf(headers: Headers, nowMs: number): number | undefined {
  const retryAfter = headers.get('Retry-After');
  const dateMs = millisecondsOf(retryAfter);
  if (dateMs !== undefined) {
    const seconds = Math.ceil((dateMs - (millisecondsOf(headers.get('Date')) ?? nowMs)) / 1000);
    return seconds > 0 ? seconds : undefined;
  }
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** The instant of an HTTP date. */
function millisecondsOf(date: string | null): number | undefined {
  const ms = /\sGMT$/.test(date ?? '') ? Date.parse(date ?? '') : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function parsed(text: string, status: number, requestId: string | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = 'The response is not JSON; check the base URL.';
    throw new VcdsError({ code: 'unexpected_response', message, status, requestId });
  }
}

function creditsOf(headers: Headers): Credits {
  const numberOf = (name: string): number | null => {
    const value = Number(headers.get(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : null;
  };
  const reset = new Date((numberOf('X-RateLimit-Reset') ?? Number.NaN) * 1000);
  const keyLimit = numberOf('X-RateLimit-Key-Limit');
  const key = { limit: keyLimit ?? 0, remaining: numberOf('X-RateLimit-Key-Remaining') };
  return {
    charged: numberOf('X-Credits-Charged') ?? 0,
    limit: numberOf('X-RateLimit-Limit'),
    remaining: numberOf('X-RateLimit-Remaining'),
    reset: Number.isNaN(reset.getTime()) ? null : reset.toISOString(),
    ...(keyLimit === null ? {} : { key }),
  };
}

/** The next page on the path of this one: the key never follows a link to another address. */
function nextOf(link: string | null, path: string): string | null {
  const target = /^<([^>]*)>; rel="next"$/.exec(link ?? '')?.[1];
  const query = target?.split('?')[1];
  return query === undefined ? null : `${path.split('?')[0]}?${query}`;
}

function checkedBaseUrl(text: string): string {
  const { protocol, username, password, search, hash, href } = new URL(text);
  const isPlain = [username, password, search, hash].every((part) => part === '');
  if (!/^https?:$/.test(protocol) || !isPlain) {
    throw new TypeError('The base URL must be http(s), without a user, a query or a fragment.');
  }
  return href.replace(/\/$/, '');
}

/** A key that is no header value would be quoted by the error of `fetch`. */
function checkKey(apiKey: string | undefined): void {
  if (apiKey !== undefined && !HEADER_TEXT.test(apiKey)) {
    throw new TypeError('The API key is empty or has characters that no key has.');
  }
}

function definedOf(options: TransportOptions): Partial<typeof DEFAULTS> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

export function sleepMs(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

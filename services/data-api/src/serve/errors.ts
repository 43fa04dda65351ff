import { QueryError } from '@vcds/odata-query';
import { ApiError, contextOf, type ErrorCode, seeUrl } from '@vcds/service-kit';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Authenticate } from '../authenticate/index.ts';
import type { Meter } from '../credits/meter.ts';
import { type Call, callOf, openCall } from './call.ts';
import { setCreditHeaders } from './reply.ts';

/** The dependencies of error responses. */
export interface ErrorServices {
  readonly authenticate: Authenticate;
  readonly meter: Meter;
  /** {base_url}: the public root with the version segment. */
  readonly baseUrl: string;
}

/** Errors of requests without an endpoint: an invalid path, method or encoding. */
const ROUTER_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'unknown_path',
  'method_not_allowed',
  'bad_parameter',
]);

/**
 * Maps every error of the public app to an ApiError. If the caller is authenticated, the response
 * reports the credits. A request without an endpoint is authenticated here; if that fails, the response reports no credits.
 */
export function handleErrors(services: ErrorServices): ErrorRequestHandler {
  return async (thrown: unknown, request, response, next) => {
    const error = asError(thrown, services.baseUrl);
    const call = callOf(request) ?? (await callOfRouterError(error, services, request, response));
    if (call !== undefined) await reportCredits(call, error, services);
    next(error);
  };
}

async function reportCredits(call: Call, error: unknown, services: ErrorServices): Promise<void> {
  const isOfCaller = error instanceof ApiError && error.status < 500;
  // The key was revoked meanwhile: the response does not report the balance.
  if (isOfCaller && error.code === 'unauthorized') return;
  call.credits ??= await creditsOf(call, error, services);
  contextOf(call.request).work.resume();
  setCreditHeaders(call);
}

// A rejection that keeps load away must not cause some.
async function creditsOf({ principal }: Call, error: unknown, { meter }: ErrorServices) {
  const isBusy = error instanceof ApiError && error.code === 'too_many_requests';
  return (isBusy ? meter.recent(principal) : undefined) ?? (await meter.report(principal));
}

async function callOfRouterError(
  error: unknown,
  { authenticate }: ErrorServices,
  request: Request,
  response: Response,
): Promise<Call | undefined> {
  const isOfRouter = error instanceof ApiError && ROUTER_ERRORS.has(error.code);
  if (!isOfRouter && !(error instanceof URIError)) return undefined;
  await openCall(authenticate, request, response).catch((reason: unknown) => {
    if (!(reason instanceof ApiError)) throw reason;
  });
  return callOf(request);
}

/** `see` does not search for a longer value. */
const SEARCHED_LENGTH_MAX = 80;
const VALUE = '{value}';

/**
 * Maps a QueryError to a 400 with its code, and a `see` that is a path to a URL that contains the
 * invalid value.
 */
export function asError(thrown: unknown, baseUrl: string): unknown {
  const error = thrown instanceof QueryError ? asApiError(thrown) : thrown;
  if (!(error instanceof ApiError) || error.details.see?.startsWith('/') !== true) return error;
  const { see, value } = error.details;
  const details = { ...error.details, see: seeOf(baseUrl, see, String(value ?? '').trim()) };
  return new ApiError(error.code, error.message, details, { cause: error.cause ?? error });
}

function asApiError(error: QueryError): ApiError {
  const { code, message, parameter, field, position, value, allowed, suggestion, see } = error;
  const details = { parameter, field, position, value, allowed, suggestion, see };
  return new ApiError(code, message, details, { cause: error });
}

// Without a searchable value, `see` is the collection instead of its search. The value is inserted
// after the path is split, because it may contain `&`, `?` or `=`.
function seeOf(baseUrl: string, see: string, value: string): string {
  const [path = '', query] = see.split(/\?(.*)/s, 2);
  if (query === undefined) return seeUrl(baseUrl, path);
  const isSearched = /[\p{L}\p{N}]/u.test(value) && value.length <= SEARCHED_LENGTH_MAX;
  if (see.includes(VALUE) && !isSearched) return seeUrl(baseUrl, path.replace(/\/search$/, ''));
  const pairs = query.split('&').map((pair): [string, string] => {
    const [name = '', written = ''] = pair.split(/=(.*)/s, 2);
    const text = written.includes("'") ? value.replaceAll("'", "''") : value;
    return [name, written.replace(VALUE, () => text)];
  });
  return seeUrl(baseUrl, path, pairs);
}

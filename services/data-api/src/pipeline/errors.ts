import { QueryError } from '@vcds/odata-query';
import { ApiError, type ErrorCode, seeUrl } from '@vcds/service-kit';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { ErrorPacer } from '../admission/index.ts';
import type { Authenticate } from '../authenticate/index.ts';
import type { Meter } from '../credits/meter.ts';
import { type Call, callOf, openCall } from './call.ts';
import { setCreditHeaders } from './reply.ts';

/** What error responses need that is not in the request. */
export interface ErrorServices {
  readonly authenticate: Authenticate;
  readonly meter: Meter;
  /** Limits the rate of free errors of an account; no limit without it. */
  readonly errorPacer?: Pick<ErrorPacer, 'pace'>;
  /** {base_url}: the public root with the version segment. */
  readonly baseUrl: string;
}

/** Errors of requests that matched no endpoint: of a path, a method, an encoding. */
const ROUTER_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'unknown_path',
  'method_not_allowed',
  'bad_parameter',
]);

/**
 * Every error of the public app passes here: it becomes an ApiError, and if the caller is known,
 * the response reports the credits and the error counts towards the account's pace. The caller of
 * a request that matched no endpoint is authenticated; if that fails, the error has no credits.
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
  // The key was revoked meanwhile: its account's balance is not reported.
  if (isOfCaller && error.code === 'unauthorized') return;
  call.credits ??= await services.meter.report(call.principal);
  setCreditHeaders(call);
  if (isOfCaller) await services.errorPacer?.pace(call.principal.accountId);
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

/** A longer value is no name to search for. */
const SEARCHED_LENGTH_MAX = 80;
const VALUE = '{value}';

/**
 * The error to answer: a QueryError becomes a 400 with its code, and a `see` that is a path becomes
 * a URL that contains the invalid value.
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

// Without a value there is nothing to search for: the collection that is searched. The value is put
// into a parameter after the path has been taken apart, because it may hold `&`, `?` or `=`.
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

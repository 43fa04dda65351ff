import type { ErrorRequestHandler, Response } from 'express';
import { ApiError, asApiError, problemBody, problemHeaders } from './errors.ts';
import { withHelp } from './help.ts';
import { createOutageLog, type OutageLog } from './outage-log.ts';
import { ClientGone } from './read-body.ts';
import { contextOf, type RequestContext } from './request-context.ts';
import { sendJson } from './responses.ts';

// Headers that an unfinished response may have set and an error must not have.
const BODY_HEADERS = [
  ...['Content-Type', 'Content-Length', 'Content-Encoding'],
  ...['Link', 'X-Link-Omitted', 'ETag'],
];

/**
 * The last handler of an app: it answers every thrown error with the error body. It logs an
 * internal error with its stack, and an outage, which concerns every call, at most once per 10 s
 * with its cause and a count. It does not log a client that disconnected: the request's line has
 * the status 499.
 *
 * @param see the default `see` of an error that names a field, parameter or value.
 * @param authUrl {auth_url}, for the pages that {@link withHelp} names.
 */
export function errorHandler(see?: string, authUrl?: string): ErrorRequestHandler {
  const outages = createOutageLog();
  return (thrown: unknown, request, response, _next) => {
    if (thrown instanceof ClientGone) {
      response.destroy();
      return;
    }
    const context = contextOf(request);
    const known = withHelp(withShare(context, fromRouter(thrown) ?? asApiError(thrown)), authUrl);
    const error = withSee(known, see);
    logServerError(context, error, outages);
    if (response.headersSent) {
      // The response has begun: close the connection, so that the client does not take it as whole.
      response.destroy();
      return;
    }
    const holdMs = error.code === 'too_many_requests' ? context.work.holdMs(error) : 0;
    if (holdMs === 0) sendProblem(response, error, context);
    else setTimeout(() => sendHeld(response, error, context), holdMs).unref();
  };
}

// A client whose request names no account has the share of its network. A failure of the service stays one.
function withShare({ work }: RequestContext, error: ApiError): ApiError {
  if (error.status >= 500) return error;
  try {
    work.assertShare();
    return error;
  } catch (rejection) {
    return asApiError(rejection);
  }
}

function withSee(error: ApiError, see: string | undefined): ApiError {
  const { field, parameter, value } = error.details;
  if (see === undefined || error.details.see !== undefined) return error;
  if (field === undefined && parameter === undefined && value === undefined) return error;
  const { code, message, details, cause } = error;
  return new ApiError(code, message, { ...details, see }, { cause });
}

function sendHeld(response: Response, error: ApiError, context: RequestContext): void {
  if (!response.closed) sendProblem(response, error, context);
}

/** Sends an error response. */
function sendProblem(
  response: Response,
  error: ApiError,
  { requestId, shapeProblem }: RequestContext,
): void {
  for (const name of BODY_HEADERS) response.removeHeader(name);
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(problemHeaders(error))) {
    response.setHeader(name, value);
  }
  const body = problemBody(error, requestId);
  sendJson(response, error.status, shapeProblem?.(body) ?? body);
}

function logServerError(
  { logger, route }: RequestContext,
  error: ApiError,
  outages: OutageLog,
): void {
  if (error.status < 500 || error.details.isRequested === true) return;
  const { code, message, cause = error } = error;
  if (code === 'internal_error') logger.error({ error: cause, route }, 'request failed');
  else outages.warn(logger, `request failed: ${message}`, cause, { route, code });
}

// The router throws a URIError for a path parameter with invalid percent-encoding.
function fromRouter(thrown: unknown): ApiError | undefined {
  if (!(thrown instanceof URIError)) return undefined;
  return new ApiError('bad_parameter', 'The path is not valid percent-encoded UTF-8.', {
    parameter: 'path',
  });
}

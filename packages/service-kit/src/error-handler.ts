import type { ErrorRequestHandler, Response } from 'express';
import { sendJson } from './answers.ts';
import { ApiError, asApiError, problemBody, problemHeaders } from './errors.ts';
import { createOutageLog, type OutageLog } from './outage-log.ts';
import { ClientGone } from './read-body.ts';
import { contextOf, type RequestContext } from './request-context.ts';

// What a half-made answer may have set and an error must not keep.
const BODY_HEADERS = ['Content-Type', 'Content-Length', 'Content-Encoding', 'Link', 'ETag'];

/**
 * The last handler of an app: every throw becomes the one error body. A fault is logged with its
 * stack; an outage, which every call meets, as a line now and then with its cause and a count; a
 * client that left not at all, because the line of the request says 499.
 *
 * @param see `see` of an error that names a field, parameter or value and has none of its own.
 */
export function errorHandler(see?: string): ErrorRequestHandler {
  const outages = createOutageLog();
  return (thrown: unknown, request, response, _next) => {
    if (thrown instanceof ClientGone) {
      response.destroy();
      return;
    }
    const context = contextOf(request);
    const error = leadingOn(fromRouter(thrown) ?? asApiError(thrown), see);
    recordFault(context, error, outages);
    if (response.headersSent) {
      // Too late to say anything: cut the connection, so that half an answer is not taken for one.
      response.destroy();
      return;
    }
    sendProblem(response, error, context.requestId);
  };
}

function leadingOn(error: ApiError, see: string | undefined): ApiError {
  const { field, parameter, value } = error.details;
  if (see === undefined || error.details.see !== undefined) return error;
  if (field === undefined && parameter === undefined && value === undefined) return error;
  const { code, message, details, cause } = error;
  return new ApiError(code, message, { ...details, see }, { cause });
}

/** Answers one error. */
export function sendProblem(response: Response, error: ApiError, traceId: string): void {
  for (const name of BODY_HEADERS) response.removeHeader(name);
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(problemHeaders(error))) {
    response.setHeader(name, value);
  }
  sendJson(response, error.status, problemBody(error, traceId));
}

function recordFault({ logger, route }: RequestContext, error: ApiError, outages: OutageLog): void {
  if (error.status < 500) return;
  const { code, message, cause = error } = error;
  if (code === 'internal_error') logger.error({ error: cause, route }, 'request failed');
  else outages.warn(logger, `request refused: ${message}`, cause, { route, code });
}

// The router refuses a path parameter with broken percent-encoding by a URIError.
function fromRouter(thrown: unknown): ApiError | undefined {
  if (!(thrown instanceof URIError)) return undefined;
  return new ApiError('bad_parameter', 'The path is not valid percent-encoded UTF-8.', {
    parameter: 'path',
  });
}

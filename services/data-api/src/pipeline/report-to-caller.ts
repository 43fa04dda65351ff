import { type CreditReport, creditHeaders } from '@vcds/metering';
import {
  ApiError,
  contextOf,
  type ErrorCode,
  keepPrivate,
  readQueryString,
} from '@vcds/service-kit';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Authenticate } from '../authenticate/index.ts';
import type { Meter } from '../credits/meter.ts';

/** The errors of requests that no endpoint took: of a path, a method, an encoding. */
const BEFORE_ENDPOINTS: ReadonlySet<ErrorCode> = new Set([
  'unknown_path',
  'method_not_allowed',
  'bad_parameter',
]);

/**
 * Puts the balance on an error that the router answers (an unknown path, another method, a path that
 * cannot be decoded) where the request has a valid key: every answer to a known caller carries it.
 * Without one, or while keys cannot be checked, the error is answered as it is.
 */
export function reportToCaller(services: {
  readonly authenticate: Authenticate;
  readonly meter: Meter;
}): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    if (isOfRouter(error) && contextOf(request).caller === undefined) {
      const { parameters } = readQueryString(request);
      const authentication = services.authenticate(request, parameters);
      const principal = await authentication.catch(orUnknownCaller);
      if (principal !== undefined) {
        keepPrivate(response);
        setCredits(request, response, await services.meter.report(principal));
      }
    }
    next(error);
  };
}

/** The headers that say what a call cost and what is left. */
export function setCredits(
  request: Request,
  response: Response,
  report: CreditReport | undefined,
): void {
  if (report === undefined) return;
  contextOf(request).charged = report.charged;
  for (const [name, value] of Object.entries(creditHeaders(report)))
    response.setHeader(name, value);
}

function isOfRouter(error: unknown): boolean {
  if (error instanceof ApiError) return BEFORE_ENDPOINTS.has(error.code);
  return error instanceof URIError;
}

function orUnknownCaller(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

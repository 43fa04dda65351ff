import type { Request, RequestHandler, Response } from 'express';
import { setCorsHeaders } from './cors.ts';
import { ApiError } from './errors.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { assertUrlLength, readPath } from './parameters.ts';
import { openContext, type RequestContext } from './request-context.ts';

const CLIENT_GONE = 499;

/** The settings of a service's edge. */
export interface EdgeSettings {
  /** Reject calls over plain HTTP (403 `https_required`); they are never redirected. */
  readonly requireHttps: boolean;
  /** The proxies to trust for scheme and address: hops, addresses or subnets; or none. */
  readonly trustProxy: string | undefined;
  /** The default Cache-Control of responses. */
  readonly cacheControl?: string;
}

/**
 * The first handler of every request: its id, the common headers, the log line and metric at its
 * end, and the errors that concern no endpoint.
 */
export function edge(logger: Logger, metrics: Metrics, settings: EdgeSettings): RequestHandler {
  return (request, response, next) => {
    const startedAt = process.hrtime.bigint();
    const context = openContext(request, logger);
    setHeaders(response, context, settings);
    let isDelivered = false;
    // Node also finishes a response whose connection was closed before its end.
    response.once('finish', () => {
      isDelivered = !request.socket.destroyed;
    });
    response.once('close', () => {
      const status = isDelivered ? response.statusCode : CLIENT_GONE;
      record(request, status, context, startedAt, logger, metrics);
    });
    assertHost(request);
    assertUrlLength(request.originalUrl);
    readPath(request.originalUrl);
    if (settings.requireHttps && !request.secure) {
      throw new ApiError('https_required', 'This API requires HTTPS.');
    }
    next();
  };
}

// RFC 9112 §3.2: an HTTP/1.1 request must name its host.
function assertHost({ headersDistinct, httpVersion }: Request): void {
  const hosts = headersDistinct.host ?? [];
  if (hosts.length === 0 && httpVersion !== '1.0') {
    throw new ApiError('bad_request', 'An HTTP/1.1 request must have a Host header.');
  }
  if (hosts.length > 1) {
    throw new ApiError('bad_request', 'A request must not have more than one Host header.');
  }
}

function setHeaders(response: Response, context: RequestContext, settings: EdgeSettings): void {
  response.setHeader('X-Request-Id', context.requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  if (settings.requireHttps) {
    response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
  if (settings.cacheControl !== undefined) {
    response.setHeader('Cache-Control', settings.cacheControl);
  }
  setCorsHeaders(response);
}

// One log line per request, with the path pattern and never the URL.
function record(
  request: Request,
  status: number,
  { requestId, route, caller, charged }: RequestContext,
  startedAt: bigint,
  logger: Logger,
  metrics: Metrics,
): void {
  const ms = Number(process.hrtime.bigint() - startedAt) / 1e6;
  metrics.observeRequest(route, request.method, status, ms / 1000);
  logger.info(
    {
      method: request.method,
      route,
      status,
      ms: Math.round(ms * 100) / 100,
      requestId,
      ...caller,
      ...(charged === undefined ? {} : { charged }),
    },
    'request',
  );
}

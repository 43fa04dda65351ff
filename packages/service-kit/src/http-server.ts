import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import type { Express } from 'express';
import { answerClientErrors, HEADER_BYTES_MAX } from './client-errors.ts';
import { ApiError, problemBody, problemHeaders } from './errors.ts';
import { closeWithConnection, countPending, followExchange, limitWriting } from './exchanges.ts';
import { HEADERS_MAX } from './request-headers.ts';
import { readAbsoluteTarget } from './request-target.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { timeOrderedId } from './time-ordered-id.ts';

/** How long the parts of an exchange may take, in milliseconds. */
export interface TimeLimits {
  /** From the first byte of a request to the end of its headers; no more than `request`. */
  readonly headers: number;
  /** From the first byte of a request to the end of its body. */
  readonly request: number;
  /** From the first byte of a response until the client has received its last one. */
  readonly response: number;
}

const TIME_LIMITS: TimeLimits = { headers: 15_000, request: 30_000, response: 60_000 };
// Node checks for requests that take too long at this interval; its default is 30 s.
const CHECK_MS_MAX = 1_000;
const CHECKS_PER_LIMIT = 10;
// Longer than load balancers keep idle connections, so that the load balancer closes them first.
const KEEP_ALIVE_MS = 75_000;

/**
 * A Node HTTP server for public traffic. Errors for which Node sends an empty body, or closes the
 * connection, get the error body; the edge rejects requests without Host. The listener receives an
 * absolute target as a path.
 *
 * @param limits default: 15 s for headers, 30 s for a request, 60 s for a response. A limit takes
 *   effect at most one second, or a tenth of the limit for headers, late; that of a response twice that.
 */
export function createHttpServer(
  listener: RequestListener & Partial<Pick<Express, 'request' | 'response'>>,
  limits: TimeLimits = TIME_LIMITS,
): Server {
  const checkMs = Math.min(CHECK_MS_MAX, limits.headers / CHECKS_PER_LIMIT);
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false,
      ...(listener.request && listener.response && classesOf(listener.request, listener.response)),
    },
    (request, response) => {
      const counted = countPending(request, response);
      if (counted === 'beyond') return;
      followExchange(request, response);
      closeWithConnection(request, response);
      if (counted === 'last') return rejectPipeline(request, response);
      readAbsoluteTarget(request);
      listener(request, response);
    },
  );
  // Node drops further headers without an error; the edge rejects a request that has this many.
  server.maxHeadersCount = HEADERS_MAX + 1;
  limitWriting(server, limits.response, checkMs);
  answerClientErrors(server);
  // RFC 9110 §10.1.1: a server may ignore an unknown expectation.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

// The response waits for those before it; then Node closes the connection.
function rejectPipeline(request: IncomingMessage, response: ServerResponse): void {
  request.socket.pause();
  const traceId = timeOrderedId();
  const error = new ApiError(
    'too_many_requests',
    'Too many requests of this connection await their responses.',
    { retryAfterSeconds: 1 },
  );
  const headers = { ...problemHeaders(error), ...SECURITY_HEADERS, 'X-Request-Id': traceId };
  response.writeHead(error.status, { ...headers, Connection: 'close' });
  response.end(JSON.stringify(problemBody(error, traceId)));
}

/**
 * Classes whose objects have the prototypes of an app from the beginning. Express gives every request
 * and response the prototypes of the app, which invalidates the optimized code of node:http; this took
 * more than half of the processor time of a small response.
 */
function classesOf(request: object, response: object) {
  return {
    IncomingMessage: withPrototype(IncomingMessage, request),
    ServerResponse: withPrototype(ServerResponse, response),
  };
}

function withPrototype<C extends typeof IncomingMessage | typeof ServerResponse>(
  base: C,
  prototype: object,
): C {
  // Not Reflect.construct, with which V8 creates every object by a slow path.
  function Constructor(this: object, ...parameters: unknown[]): void {
    Reflect.apply(base as unknown as (...all: unknown[]) => void, this, parameters);
  }
  // V8 reserves space in an object for as many properties as these constructors assign.
  Object.setPrototypeOf(Constructor, base);
  Constructor.prototype = prototype;
  return Constructor as unknown as C;
}

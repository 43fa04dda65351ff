import { createServer, type RequestListener, type Server } from 'node:http';
import { answerClientErrors, HEADER_BYTES_MAX } from './client-errors.ts';
import { followExchanges, limitWriting } from './exchanges.ts';

/** How long the parts of an exchange may take, in milliseconds. */
export interface TimeLimits {
  /** From the first byte of a request to the end of its headers; no more than `request`. */
  readonly headers: number;
  /** From the first byte of a request to the end of its body. */
  readonly request: number;
  /** From the first byte of an answer until the client has taken the last one. */
  readonly answer: number;
}

const TIME_LIMITS: TimeLimits = { headers: 15_000, request: 30_000, answer: 60_000 };
// Node looks for requests that take too long at this interval, 30 s by default.
const CHECK_MS_MAX = 1_000;
const CHECKS_PER_LIMIT = 10;
// Longer than load balancers keep idle connections, so that it is they who close them.
const KEEP_ALIVE_MS = 75_000;

/**
 * A node HTTP server set up for public traffic. What node would refuse with an empty body, or
 * without a word, gets the one error body too; a request without Host is left to the edge.
 *
 * @param limits 15 s for headers, 30 s for a request, 60 s for an answer unless given; a limit acts
 *   at most a second, or a tenth of the time for headers, late.
 */
export function createHttpServer(
  listener: RequestListener,
  limits: TimeLimits = TIME_LIMITS,
): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      connectionsCheckingInterval: Math.min(CHECK_MS_MAX, limits.headers / CHECKS_PER_LIMIT),
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false,
    },
    listener,
  );
  followExchanges(server);
  limitWriting(server, limits.answer);
  answerClientErrors(server);
  // RFC 9110 §10.1.1: an expectation nobody knows may be passed over.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

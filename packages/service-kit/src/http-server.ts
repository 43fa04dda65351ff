import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, problemBody } from './errors.ts';
import { URL_BYTES_MAX } from './parameters.ts';

/** Above the longest URL, so that a long URL is refused as one (414) and not as broken HTTP. */
export const HEADER_BYTES_MAX = 2 * URL_BYTES_MAX;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
// Longer than load balancers keep idle connections, so that it is they who close them.
const KEEP_ALIVE_MS = 75_000;
const LINGER_MS = 1_000;

/** A node HTTP server set up for public traffic; what is no HTTP gets the one error body too. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    listener,
  );
  server.on('clientError', (error: ParseError, socket: Socket) => refuse(error, socket));
  return server;
}

interface ParseError extends Error {
  readonly code?: string;
  /** The last packet read, and how far into it the parser came. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

function refuse(error: ParseError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusalFor(error);
  const traceId = randomUUID();
  const body = JSON.stringify(problemBody(refusal, traceId));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${traceId}`,
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Read on for a moment: closing on unread bytes would reset the connection and lose the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function refusalFor({ code, rawPacket, bytesParsed }: ParseError): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    // No line end so far in the last packet: the request line itself was still coming in.
    return rawPacket?.subarray(0, bytesParsed).includes('\r\n')
      ? new ApiError('headers_too_large', `Headers above ${HEADER_BYTES_MAX} bytes are not read.`)
      : new ApiError('url_too_long', `A URL above ${URL_BYTES_MAX} bytes is not read.`);
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', 'The request did not arrive in time.');
  }
  if (code === 'HPE_INVALID_URL') {
    const message = 'The URL has a character that must be percent-encoded.';
    return new ApiError('bad_request', message);
  }
  return new ApiError('bad_request', 'The request is not well-formed HTTP/1.1.');
}

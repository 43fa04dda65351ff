import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, problemBody, problemHeaders } from './errors.ts';
import { type Exchange, latestExchange } from './exchanges.ts';
import { URL_BYTES_MAX } from './parameters.ts';
import { failBody } from './read-body.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { timeOrderedId } from './time-ordered-id.ts';

/**
 * Maximum size of the URL and the headers together. It is above the limit of the URL, so that a
 * URL above that limit gets 414 instead of 400.
 */
export const HEADER_BYTES_MAX = 2 * URL_BYTES_MAX;
const LINGER_MS = 1_000;
const LINE_END_WAIT_MS = 5_000;

/**
 * Sends the error body in reply to malformed HTTP, to a request that does not arrive in time, and
 * to CONNECT; then closes the connection. Pending responses are sent first, and a request that has
 * a response gets no second one.
 */
export function answerClientErrors(server: Server): void {
  server.on('clientError', onClientError);
  server.on('connect', onConnect);
}

interface ParseError extends Error {
  readonly code?: string;
  /** The last packet read, and the number of its bytes that were parsed. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

const broken = new WeakSet<Duplex>();

function onClientError(error: ParseError, socket: Duplex): void {
  const exchange = latestExchange(socket);
  const isInBody = exchange?.request.complete === false;
  // The client disconnected. One that ends within its headers may still wait for the response.
  if (error.code === 'ECONNRESET' || (isInBody && error.code === 'HPE_INVALID_EOF_STATE')) {
    socket.destroy();
    return;
  }
  // The parser has stopped: each further packet would raise another error.
  socket.removeAllListeners('data');
  if (broken.has(socket)) return;
  broken.add(socket);
  if (isInBody) {
    endBrokenBody(error, socket, exchange);
    return;
  }
  afterAnswer(socket, exchange, () => {
    if (error.code === 'HPE_HEADER_OVERFLOW') rejectOverflow(error, socket);
    else sendError(errorFor(error), socket, isHead(error));
  });
}

function onConnect(_request: unknown, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  const allow = ['GET', 'POST', 'OPTIONS'];
  const message = 'CONNECT is not supported: this server is not a proxy.';
  const error = new ApiError('method_not_allowed', message, { allow, allowed: allow });
  afterAnswer(socket, latestExchange(socket), () => sendError(error, socket));
}

// The handler of the request responds; with this error if it is reading the body.
function endBrokenBody(error: ParseError, socket: Duplex, exchange: Exchange): void {
  const { request, response } = exchange;
  if (!response.headersSent) response.setHeader('Connection', 'close');
  afterAnswer(socket, exchange, () => end(socket));
  failBody(request, errorFor(error));
}

function afterAnswer(socket: Duplex, exchange: Exchange | undefined, then: () => void): void {
  if (exchange === undefined || exchange.response.writableFinished) {
    then();
    return;
  }
  // Keep reading: a client may read the response only after it has sent its whole request.
  discard(socket);
  exchange.response.once('close', () => {
    socket.removeAllListeners('data');
    then();
  });
}

/** Whether the packet begins with a request for headers alone. */
function isHead({ rawPacket }: ParseError): boolean {
  return rawPacket?.subarray(0, HEAD.length).equals(HEAD) === true;
}

const HEAD = Buffer.from('HEAD ');

function sendError(error: ApiError, socket: Duplex, hasNoBody = false): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const traceId = timeOrderedId();
  const body = JSON.stringify(problemBody(error, traceId));
  const headers = {
    ...problemHeaders(error),
    ...SECURITY_HEADERS,
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': traceId,
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`;
  end(socket, `${status}\r\n${head.join('')}\r\n${hasNoBody ? '' : body}`);
}

function end(socket: Duplex, text = ''): void {
  socket.end(text);
  // Keep reading briefly: closing with unread bytes resets the connection and loses the response.
  discard(socket);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function discard(socket: Duplex): void {
  socket.on('data', () => {});
  socket.resume();
}

/**
 * Rejects a request above HEADER_BYTES_MAX: as 414 if the overflow is in the request line, else,
 * and also when that line does not end in time, as 431.
 */
function rejectOverflow({ rawPacket, bytesParsed }: ParseError, socket: Duplex): void {
  const packet = rawPacket ?? Buffer.alloc(0);
  if (packet.subarray(0, bytesParsed).includes('\n')) {
    sendError(headersTooLarge(), socket);
    return;
  }
  readLineEnd(socket, packet.subarray(bytesParsed), (lineEnd) => {
    sendError(REQUEST_LINE_END.test(lineEnd) ? urlTooLong() : headersTooLarge(), socket);
  });
}

const REQUEST_LINE_END = / HTTP\/\d\.\d\r\n$/;
const LINE_END_BYTES = ' HTTP/1.1\r\n'.length;

/** Reads to the end of a line and keeps only its last bytes; stops at LINE_END_WAIT_MS. */
function readLineEnd(socket: Duplex, first: Buffer, done: (lineEnd: string) => void): void {
  let lineEnd = '';
  const read = (bytes: Buffer): void => {
    const length = bytes.indexOf('\n') + 1 || bytes.length;
    const last = bytes.toString('latin1', Math.max(0, length - LINE_END_BYTES), length);
    lineEnd = (lineEnd + last).slice(-LINE_END_BYTES);
    if (lineEnd.endsWith('\n')) finish();
  };
  const finish = (): void => {
    clearTimeout(timer);
    socket.off('data', read).off('end', finish).off('close', finish);
    done(lineEnd);
  };
  const timer = setTimeout(finish, LINE_END_WAIT_MS).unref();
  // Runs before Node's own listener, which closes the writing side.
  socket.prependListener('end', finish).on('close', finish).on('data', read).resume();
  read(first);
}

function urlTooLong(): ApiError {
  return new ApiError('url_too_long', `URL too long; the limit is ${URL_BYTES_MAX} bytes.`);
}

function headersTooLarge(): ApiError {
  return new ApiError(
    'headers_too_large',
    `Headers too large; the limit is ${HEADER_BYTES_MAX} bytes for the URL and headers together.`,
  );
}

function errorFor({ code }: ParseError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', 'The request did not arrive in time.');
  }
  if (code === 'HPE_INVALID_URL') {
    const message = 'The URL contains a character that must be percent-encoded.';
    return new ApiError('bad_request', message);
  }
  return new ApiError('bad_request', 'The request is not well-formed HTTP/1.1.');
}

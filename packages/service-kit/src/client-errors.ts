import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, problemBody, problemHeaders } from './errors.ts';
import { type Exchange, latestExchange } from './exchanges.ts';
import { URL_BYTES_MAX } from './parameters.ts';
import { failBody } from './read-body.ts';

/**
 * The most that is read of a URL and headers together. Above the longest URL, so that a long URL
 * is refused as one (414) and not as broken HTTP.
 */
export const HEADER_BYTES_MAX = 2 * URL_BYTES_MAX;
const LINGER_MS = 1_000;
const LINE_END_WAIT_MS = 5_000;

/**
 * Answers what is no HTTP, does not arrive in time, or is CONNECT, with the one error body. Nothing
 * is written into another answer: those under way go out first, and a request that has an answer
 * gets no second one. Then the connection is closed.
 */
export function answerClientErrors(server: Server): void {
  server.on('clientError', onClientError);
  server.on('connect', onConnect);
}

interface ParseError extends Error {
  readonly code?: string;
  /** The last packet read, and how far into it the parser came. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

const broken = new WeakSet<Duplex>();

function onClientError(error: ParseError, socket: Duplex): void {
  const exchange = latestExchange(socket);
  const isInBody = exchange?.request.complete === false;
  // The client left; within its headers it may still wait for an answer.
  if (error.code === 'ECONNRESET' || (isInBody && error.code === 'HPE_INVALID_EOF_STATE')) {
    socket.destroy();
    return;
  }
  // The parser is done with this connection; each further packet would be another error.
  socket.removeAllListeners('data');
  if (broken.has(socket)) return;
  broken.add(socket);
  if (isInBody) {
    endBrokenBody(error, socket, exchange);
    return;
  }
  afterAnswer(socket, exchange, () => {
    if (error.code === 'HPE_HEADER_OVERFLOW') refuseOverflow(error, socket);
    else refuse(refusalFor(error), socket);
  });
}

function onConnect(_request: unknown, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  const allow = ['GET', 'POST', 'OPTIONS'];
  const message = 'This server is no proxy: it does not take CONNECT.';
  const refusal = new ApiError('method_not_allowed', message, { allow, allowed: allow });
  afterAnswer(socket, latestExchange(socket), () => refuse(refusal, socket));
}

// The request has an answer, or will have the one of its handler; of the error, if it reads the body.
function endBrokenBody(error: ParseError, socket: Duplex, exchange: Exchange): void {
  const { request, response } = exchange;
  if (!response.headersSent) response.setHeader('Connection', 'close');
  afterAnswer(socket, exchange, () => end(socket));
  failBody(request, refusalFor(error));
}

function afterAnswer(socket: Duplex, exchange: Exchange | undefined, then: () => void): void {
  if (exchange === undefined || exchange.response.writableFinished) {
    then();
    return;
  }
  // Read on, else the client may not come to reading the answer.
  discard(socket);
  exchange.response.once('close', () => {
    socket.removeAllListeners('data');
    then();
  });
}

function refuse(refusal: ApiError, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const traceId = randomUUID();
  const body = JSON.stringify(problemBody(refusal, traceId));
  const headers = {
    ...problemHeaders(refusal),
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': traceId,
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`;
  end(socket, `${status}\r\n${head.join('')}\r\n${body}`);
}

function end(socket: Duplex, text = ''): void {
  socket.end(text);
  // Read on for a moment: closing on unread bytes would reset the connection and lose the answer.
  discard(socket);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function discard(socket: Duplex): void {
  socket.on('data', () => {});
  socket.resume();
}

/**
 * Refuses what is above HEADER_BYTES_MAX: as a URL if the line it happened in turns out to be the
 * request line, else, and also where that line does not end in time, as headers.
 */
function refuseOverflow({ rawPacket, bytesParsed }: ParseError, socket: Duplex): void {
  const packet = rawPacket ?? Buffer.alloc(0);
  if (packet.subarray(0, bytesParsed).includes('\n')) {
    refuse(headersTooLarge(), socket);
    return;
  }
  readLineEnd(socket, packet.subarray(bytesParsed), (lineEnd) => {
    refuse(REQUEST_LINE_END.test(lineEnd) ? urlTooLong() : headersTooLarge(), socket);
  });
}

const REQUEST_LINE_END = / HTTP\/\d\.\d\r\n$/;
const LINE_END_BYTES = ' HTTP/1.1\r\n'.length;

/** Reads on to the end of a line and keeps only its last bytes; gives up after a while. */
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
  // Before node's own listener, which closes the writing side.
  socket.prependListener('end', finish).on('close', finish).on('data', read).resume();
  read(first);
}

function urlTooLong(): ApiError {
  return new ApiError('url_too_long', `A URL above ${URL_BYTES_MAX} bytes is not read.`);
}

function headersTooLarge(): ApiError {
  return new ApiError(
    'headers_too_large',
    `A URL of at most ${URL_BYTES_MAX} bytes is read, and with its headers ${HEADER_BYTES_MAX}.`,
  );
}

function refusalFor({ code }: ParseError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', 'The request did not arrive in time.');
  }
  if (code === 'HPE_INVALID_URL') {
    const message = 'The URL has a character that must be percent-encoded.';
    return new ApiError('bad_request', message);
  }
  return new ApiError('bad_request', 'The request is not well-formed HTTP/1.1.');
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request whose headers have arrived, and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const latest = new WeakMap<Duplex, Exchange>();
/** Requests of one connection that may await their responses (HTTP pipelining). */
const PENDING_MAX = 32;
const pending = new WeakMap<Duplex, number>();

/** Records an exchange, for {@link latestExchange}. */
export function followExchange(request: IncomingMessage, response: ServerResponse): void {
  latest.set(request.socket, { request, response });
}

/**
 * Counts a request of a connection until its response has ended.
 *
 * @returns `last` for the first request beyond the bound: its response must close the connection;
 *   `beyond` for those after it, which get none; `within` else.
 */
export function countPending(
  { socket }: IncomingMessage,
  response: ServerResponse,
): 'within' | 'last' | 'beyond' {
  const count = (pending.get(socket) ?? 0) + 1;
  pending.set(socket, count);
  if (count > PENDING_MAX) return count === PENDING_MAX + 1 ? 'last' : 'beyond';
  response.once('close', () => pending.set(socket, (pending.get(socket) ?? 1) - 1));
  return 'within';
}

/** Responses of a connection that wait for those before them. */
const queued = new WeakMap<Duplex, Set<ServerResponse>>();

/**
 * Closes a response that waits for those before it once its connection is closed. Node closes only the
 * one that is being sent, so the others would count as in flight for as long as the process runs.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) return;
  const waiting = queued.get(socket) ?? new Set();
  if (!queued.has(socket)) {
    queued.set(socket, waiting);
    socket.once('close', () => waiting.forEach(close));
  }
  waiting.add(response);
  response.once('close', () => waiting.delete(response));
}

// As Node does for the response that is being sent.
function close(response: ServerResponse): void {
  if (response.socket !== null || response.closed) return;
  Object.assign(response, { destroyed: true, _closed: true });
  response.emit('close');
}

/**
 * The exchange of a connection that began last. Responses are sent in the order of their requests,
 * so that none is pending once this one is closed.
 */
export function latestExchange(socket: Duplex): Exchange | undefined {
  return latest.get(socket);
}

/**
 * Disconnects a client that has not received a whole response `msMax` after its first byte, so that
 * responses that no client reads do not stay in memory. It takes effect at most two intervals of
 * `checkMs` late: one timer for all connections costs less than one for each response.
 */
export function limitWriting(server: Server, msMax: number, checkMs: number): void {
  const connections = new Set<Socket>();
  const seenAtMs = new WeakMap<ServerResponse, number>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const check = (): void => {
    const nowMs = performance.now();
    for (const socket of connections) {
      const response = latestExchange(socket)?.response;
      if (response === undefined || !response.headersSent || response.closed) continue;
      const atMs = seenAtMs.get(response);
      if (atMs === undefined) seenAtMs.set(response, nowMs);
      else if (nowMs - atMs >= msMax) socket.destroy();
    }
  };
  const timer = setInterval(check, checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request whose headers have arrived, and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const latest = new WeakMap<Duplex, Exchange>();

/** Records the exchanges of a server's connections, for {@link latestExchange}. */
export function followExchanges(server: Server): void {
  server.prependListener('request', (request, response) => {
    latest.set(request.socket, { request, response });
  });
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

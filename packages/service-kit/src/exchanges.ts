import type { IncomingMessage, Server, ServerResponse } from 'node:http';
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
 * responses that no client reads do not stay in memory.
 */
export function limitWriting(server: Server, msMax: number): void {
  server.prependListener('request', (request, response) => {
    const writeHead = response.writeHead;
    // Set on this response, because Express replaces its prototype.
    response.writeHead = (...head: unknown[]): ServerResponse => {
      response.writeHead = writeHead;
      const timer = setTimeout(() => request.socket.destroy(), msMax).unref();
      response.once('close', () => clearTimeout(timer));
      return Reflect.apply(writeHead, response, head);
    };
  });
}

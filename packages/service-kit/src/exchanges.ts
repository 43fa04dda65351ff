import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request that has arrived, at least its head, and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const latest = new WeakMap<Duplex, Exchange>();

/** Follows the exchanges of a server's connections, for {@link latestExchange}. */
export function followExchanges(server: Server): void {
  server.prependListener('request', (request, response) => {
    latest.set(request.socket, { request, response });
  });
}

/**
 * The exchange of a connection that began last. Answers go out in the order of their requests, so
 * that no answer is under way once this one is closed.
 */
export function latestExchange(socket: Duplex): Exchange | undefined {
  return latest.get(socket);
}

/**
 * Cuts off a client that has not taken an answer `msMax` after its first byte, so that answers that
 * no client reads do not stay in memory.
 */
export function limitWriting(server: Server, msMax: number): void {
  server.prependListener('request', (request, response) => {
    const writeHead = response.writeHead;
    // A property of this answer: Express replaces its prototype.
    response.writeHead = (...head: unknown[]): ServerResponse => {
      response.writeHead = writeHead;
      const timer = setTimeout(() => request.socket.destroy(), msMax).unref();
      response.once('close', () => clearTimeout(timer));
      return Reflect.apply(writeHead, response, head);
    };
  });
}

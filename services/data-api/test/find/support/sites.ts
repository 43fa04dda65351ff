import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testClock } from '@vcds/test-kit';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine that has every site of a test by its host, and their clock. */
export async function startSites() {
  const handlers = new Map<string, Handler>();
  // Redis expires leases and pages by its own clock.
  const clock = testClock(new Date().toISOString());
  const server = createServer((request, response) => {
    const handler = request.url === '/robots.txt' ? undefined : handlers.get(hostOf(request));
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** How the API reads the sites. Pauses between requests pass at once. */
    options: {
      testAddress: { address: '127.0.0.1', port },
      clock,
      sleep: async (ms: number) => clock.advance(ms),
    },
    clock,
    serve: (host: string, handler: Handler) => handlers.set(host, handler),
    page: (host: string, html: string | Buffer, type = 'text/html; charset=utf-8') =>
      handlers.set(host, (_, response) =>
        response.writeHead(200, { 'content-type': type }).end(html),
      ),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hostOf({ headers }: IncomingMessage): string {
  return headers.host ?? '';
}

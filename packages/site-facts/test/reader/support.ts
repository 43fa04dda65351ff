import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeRedis, createLogger, createRedis, redisReady } from '@vcds/service-kit';
import { createOutboundClient } from '@vcds/site-facts/outbound-http';
import { createTestRedis, testClock } from '@vcds/test-kit';
import { SiteReader, type SiteReaderOptions } from '../../src/reader/site-reader.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** Sites by host name, all on one server of this machine, and readers of them. */
export async function startSites() {
  const handlers = new Map<string, Handler>();
  const requests: { readonly host: string; readonly url: string; readonly atMs: number }[] = [];
  const clock = testClock();
  const server: Server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    requests.push({ host, url: request.url ?? '', atMs: clock.wallMs() });
    const handler = handlers.get(host);
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const database = await createTestRedis();
  const logger = createLogger({ service: 'test', sink: { write: () => undefined } });
  const redis = createRedis({ url: database.url, name: 'test', logger });
  await redisReady(redis);
  const client = createOutboundClient({
    userAgent: 'VCDS-Bot/2.1 (+https://docs.example/bot)',
    testAddress: { address: '127.0.0.1', port },
  });
  const sleep = async (ms: number): Promise<void> => clock.advance(ms);
  return {
    clock,
    requests,
    redis,
    redisUrl: database.url,
    port,
    client,
    /** Requests to a host, without those of robots.txt. */
    pagesOf: (host: string) =>
      requests.filter((request) => request.host === host && request.url !== '/robots.txt'),
    site: (host: string, handler: Handler) => handlers.set(host, handler),
    /** A site with one page, and a robots.txt if it is given. */
    page: (host: string, html: string | Buffer, headers: object = HTML, robots?: string) =>
      handlers.set(host, (request, response) => {
        if (request.url !== '/robots.txt') response.writeHead(200, { ...headers }).end(html);
        else if (robots === undefined) response.writeHead(404).end();
        else response.end(robots);
      }),
    reader: (options: Partial<SiteReaderOptions> = {}) =>
      new SiteReader({ client, redis, clock, sleep, ...options }),
    stop: async () => {
      await closeRedis(redis);
      await database.drop();
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Sites = Awaited<ReturnType<typeof startSites>>;

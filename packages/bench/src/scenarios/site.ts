import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = '<title>A company</title><p>We make anvils, and we have made them for years.';
const ANSWER_MS = 50;

/** A server that answers for every site, as a slow one does. */
export async function startSite() {
  const server = createServer((request, response) => {
    const status = request.url === '/robots.txt' ? 404 : 200;
    setTimeout(() => {
      response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(PAGE);
    }, ANSWER_MS);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

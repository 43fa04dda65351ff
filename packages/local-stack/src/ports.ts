import { once } from 'node:events';
import { createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that nothing listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no TCP address was given');
  return address.port;
}

/** Whether this process could listen on a port of an address right now. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  const outcome = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.once('listening', () => server.close(() => resolve(true)));
  });
  server.listen({ port, host, exclusive: true });
  return outcome;
}

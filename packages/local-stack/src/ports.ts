import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the range from which systems take the ports of outgoing connections (32768 and up on
 * Linux, 49152 elsewhere): one of those could be taken again before a server gets to it.
 */
const portMin = 10_240;
const portMax = 32_767;
const attemptsMax = 100;

/**
 * A TCP port of 127.0.0.1, chosen at random, that nothing listened on a moment ago.
 *
 * @param spoken ports that are meant for something else, though it may not listen yet.
 */
export async function freePort(spoken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = randomInt(portMin, portMax + 1);
    if (!spoken.has(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`No free port was found between ${portMin} and ${portMax}.`);
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

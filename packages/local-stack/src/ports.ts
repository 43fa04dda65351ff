import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere): the system could assign one
 * of those to an outgoing connection before a server listens on it.
 */
const PORT_MIN = 10_240;
const PORT_MAX = 32_767;
const ATTEMPTS_MAX = 100;

/**
 * A random TCP port of 127.0.0.1 on which no process listens at the time of the call.
 *
 * @param reserved ports of processes that may not listen yet.
 */
export async function freePort(reserved: ReadonlySet<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX + 1);
    if (!reserved.has(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`No free port between ${PORT_MIN} and ${PORT_MAX}.`);
}

/** Whether this process could listen on a port now. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  const outcome = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.once('listening', () => server.close(() => resolve(true)));
  });
  server.listen({ port, host, exclusive: true });
  return outcome;
}

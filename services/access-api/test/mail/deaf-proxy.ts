import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The command by which a worker waits for the next job. */
const WAIT = 'bzpopmin';

/** A proxy to Redis that can stop to answer connections that wait for a job. */
export async function openDeafProxy(redisUrl: string) {
  const { hostname, port } = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let isDeaf = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isWaiter = false;
    client.on('data', (data) => {
      isWaiter ||= data.toString('latin1').toLowerCase().includes(WAIT);
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (!(isDeaf && isWaiter)) client.write(data);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on, connections that wait for a job get no answer; all others work. */
    deafen: () => {
      isDeaf = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

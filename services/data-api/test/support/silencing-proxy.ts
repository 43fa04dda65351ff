import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy of a database that can stop to forward data, as in a loss of the network. */
export interface SilencingProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Stops the existing connections without closing them; later ones work. */
  silence(): void;
  /** Stops the next connection after this number of bytes of the database. */
  silenceNextAfter(bytes: number): void;
  /** The number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

export async function openSilencingProxy(databaseUrl: string): Promise<SilencingProxy> {
  const url = new URL(databaseUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const ends = new Set<Socket>();
  let forwarding = new Set<object>();
  let connections = 0;
  let bytesOfNext = Number.POSITIVE_INFINITY;
  const server = createServer((client) => {
    const database = connect(port, host);
    const connection = {};
    connections += 1;
    forwarding.add(connection);
    let bytesLeft = bytesOfNext;
    bytesOfNext = Number.POSITIVE_INFINITY;
    client.on('data', (chunk) => {
      if (forwarding.has(connection)) database.write(chunk);
    });
    database.on('data', (chunk) => {
      bytesLeft -= chunk.length;
      if (bytesLeft < 0) forwarding.delete(connection);
      if (forwarding.has(connection)) client.write(chunk);
    });
    for (const [end, other] of [
      [client, database],
      [database, client],
    ] as const) {
      ends.add(end);
      end.on('error', () => undefined);
      end.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address was given');
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    silence: () => {
      forwarding = new Set();
    },
    silenceNextAfter: (bytes) => {
      bytesOfNext = bytes;
    },
    connections: () => connections,
    close: async () => {
      for (const end of ends) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a database that can go silent, as the network does: nothing is closed, nothing comes. */
export interface SilencingProxy {
  /** The database, by this way. */
  readonly url: string;
  /** From now on nothing passes on the connections there are; later ones work. */
  silence(): void;
  /** The next connection goes silent once so many bytes were answered on it. */
  silenceNextAfter(bytes: number): void;
  /** How many connections were made so far. */
  connections(): number;
  close(): Promise<void>;
}

export async function openSilencingProxy(databaseUrl: string): Promise<SilencingProxy> {
  const url = new URL(databaseUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const ends = new Set<Socket>();
  let speaking = new Set<object>();
  let connections = 0;
  let bytesOfNext = Number.POSITIVE_INFINITY;
  const server = createServer((client) => {
    const database = connect(port, host);
    const connection = {};
    connections += 1;
    speaking.add(connection);
    let bytesLeft = bytesOfNext;
    bytesOfNext = Number.POSITIVE_INFINITY;
    client.on('data', (chunk) => {
      if (speaking.has(connection)) database.write(chunk);
    });
    database.on('data', (chunk) => {
      bytesLeft -= chunk.length;
      if (bytesLeft < 0) speaking.delete(connection);
      if (speaking.has(connection)) client.write(chunk);
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
      speaking = new Set();
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

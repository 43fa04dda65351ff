import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A proxy of a database that counts the statements and the time of the longest. */
export interface StatementProxy {
  /** The URL of a database through the proxy. */
  urlOf(databaseUrl: string): string;
  readonly statements: () => number;
  /** From its first message to the response that ends it, ms. */
  readonly slowestMs: () => number;
  close(): void;
}

const [QUERY, EXECUTE, READY] = ['Q', 'E', 'Z'].map((letter) => letter.charCodeAt(0));

/** @param databaseUrl of any database of the server. */
export async function openStatementProxy(databaseUrl: string): Promise<StatementProxy> {
  const { hostname, port } = new URL(databaseUrl);
  let [statements, slowestMs] = [0, 0];
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    let beganAt: number | undefined;
    // The first message of a client has no letter.
    const ofClient = messages(true, (letter) => {
      if (letter !== QUERY && letter !== EXECUTE) return;
      statements += 1;
      beganAt ??= performance.now();
    });
    const ofDatabase = messages(false, (letter) => {
      if (letter !== READY || beganAt === undefined) return;
      slowestMs = Math.max(slowestMs, performance.now() - beganAt);
      beganAt = undefined;
    });
    client.on('data', ofClient).pipe(database);
    database.on('data', ofDatabase).pipe(client);
    client.on('error', () => database.destroy()).on('close', () => database.destroy());
    database.on('error', () => client.destroy()).on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    urlOf: (url) => {
      const through = new URL(url);
      through.hostname = '127.0.0.1';
      through.port = String((server.address() as AddressInfo).port);
      return through.href;
    },
    statements: () => statements,
    slowestMs: () => slowestMs,
    close: () => void server.close(),
  };
}

/** Calls back with the letter of each message of a stream of PostgreSQL's protocol. */
function messages(hasStart: boolean, receive: (letter: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let letterBytes = hasStart ? 0 : 1;
  let skip = 0;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const skipped = Math.min(skip, rest.length);
      skip -= skipped;
      rest = rest.subarray(skipped);
      if (skip > 0 || rest.length < letterBytes + 4) return;
      if (letterBytes === 1) receive(rest[0] ?? 0);
      skip = letterBytes + rest.readUInt32BE(letterBytes);
      letterBytes = 1;
    }
  };
}

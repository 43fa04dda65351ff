import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { closedAfterAll } from '@vcds/test-kit';
import { Database } from '../../src/postgres/database.ts';

/** A message of PostgreSQL's protocol: its type, its length, its content. */
function message(letter: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(content, 'latin1')]);
}

const AUTHENTICATED = message('R', '\0\0\0\0');
const READY = message('Z', 'I');
const SHUTTING_DOWN = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');

// A server that ends every session after the authentication.
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, SHUTTING_DOWN])));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('no TCP address was given');
const database = await closedAfterAll(
  new Database({
    connectionString: `postgres://user@127.0.0.1:${address.port}/none`,
    connectionsMax: 1,
    statementMsMax: 30_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  }),
);
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

test.each([
  ['prepared', true],
  ['planned with its values', false],
])(
  'a read whose connection is lost before the query is sent fails with unavailable: %s',
  async (_, recurs) => {
    const read = () => database.rows({ text: 'SELECT 1', values: [], recurs });
    // The second execution of a text prepares it.
    for (let time = 0; time < 3; time += 1) {
      await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
    }
  },
);

import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { failureOf, isOutage, unavailable } from '../../src/postgres/errors.ts';
import { ReadServer } from '../../src/postgres/read-server.ts';
import { AUTHENTICATED, READY, SHUTTING_DOWN } from '../support/postgres-messages.ts';

const errorOf = (code: string) => Object.assign(new Error('could not write'), { code });

test.each(['08006', '53100', '53300', '57P01', '58030', 'ECONNREFUSED', 'EAI_AGAIN'])(
  'SQLSTATE or code %s is an outage, for example a full disk',
  (code) => {
    expect(failureOf(errorOf(code))).toBe('connection');
    expect(isOutage(unavailable(errorOf(code)))).toBe(true);
  },
);

test.each(['53200', '53400'])(
  'SQLSTATE %s is a statement that needs too much: no outage, and no fault of the server',
  (code) => {
    expect(failureOf(errorOf(code))).toBe('too_large');
    expect(isOutage(unavailable(errorOf(code)))).toBe(false);
  },
);

test.each(['42601', '22P02', 'XX000', '5', 'ERR_SOCKET_CLOSED'])(
  '%s is an error of the statement',
  (code) => {
    expect(failureOf(errorOf(code))).toBeUndefined();
  },
);

test('a connection is not used again after a fatal error', async () => {
  let connections = 0;
  // It reports that it ends a session, and closes it later.
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([AUTHENTICATED, READY]));
      socket.once('data', () => socket.write(SHUTTING_DOWN));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const reads = new ReadServer({
    connectionString: `postgres://user@127.0.0.1:${port}/none`,
    connectionsMax: 1,
    statementMsMax: 2_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  for (const connection of [1, 2]) {
    const read = reads.rows({ text: 'SELECT 1', values: [], plan: 'custom' });
    await expect(read).rejects.toMatchObject({ code: 'unavailable' });
    expect(connections).toBe(connection);
  }
  await reads.close();
  server.close();
});

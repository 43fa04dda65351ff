// Tests docs/spec/operations.md 16.10.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { closedAfterAll, createTestDatabase, freePort } from '@vcds/test-kit';
import { failureOf } from '../../src/postgres/errors.ts';
import { Probe } from '../../src/postgres/probe.ts';
import { ReadServer } from '../../src/postgres/read-server.ts';
import { Replica } from '../../src/postgres/replica.ts';
import { Admission, PrimaryPositions } from '../../src/postgres/replica-lag.ts';
import { AUTHENTICATED, READY, SHUTTING_DOWN } from '../support/postgres-messages.ts';
import { openSilencingProxy } from '../support/silencing-proxy.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());
const proxy = await closedAfterAll(openSilencingProxy(database.url));
const logger = createLogger({ service: 'test', level: 'silent' });

const replicaAt = (connectionString: string) =>
  closedAfterAll(
    new Replica({
      ...{ connectionString, connectionsMax: 1, statementMsMax: 10_000, logger },
      ...{ lagMsMax: 1_000, assertSchema: async () => undefined },
    }),
  );

describe('the lag of a replica', () => {
  /** Positions as [LSN, milliseconds]. */
  const after = (...samples: readonly (readonly [bigint, number])[]): PrimaryPositions => {
    const positions = new PrimaryPositions(1_000);
    for (const [lsn, atMs] of samples) positions.record(lsn, atMs);
    return positions;
  };

  test('is 0 if it has replayed all that the primary has written, however long ago', () => {
    expect(after([10n, 0], [10n, 900_000]).lagMs(10n, 990_000)).toBe(0);
    expect(after([10n, 0]).lagMs(11n, 500)).toBe(0);
  });

  test('is the time since the primary was where the replica is', () => {
    const positions = after([10n, 0], [20n, 100], [30n, 200]);
    expect(positions.lagMs(20n, 250)).toBe(150);
    expect(positions.lagMs(29n, 250)).toBe(150);
    expect(positions.lagMs(19n, 250)).toBe(250);
  });

  test('begins with the end of an idle time of the primary, not with its start', () => {
    expect(after([10n, 0], [10n, 5_000], [20n, 5_500]).lagMs(10n, 5_600)).toBe(600);
  });

  test('is unknown before the primary was seen where the replica is', () => {
    expect(after().lagMs(10n, 0)).toBeUndefined();
    expect(after([10n, 0], [20n, 100]).lagMs(9n, 250)).toBeUndefined();
  });

  test('is unknown if the replica is older than all kept positions', () => {
    const positions = after([10n, 0], [20n, 500], [30n, 1_400]);
    expect(positions.lagMs(20n, 1_500)).toBe(1_000);
    expect(positions.lagMs(10n, 1_500)).toBeUndefined();
  });

  test('does not compare with the log of a failed primary', () => {
    const positions = after([10n, 0], [90n, 100], [50n, 200]);
    expect(positions.lagMs(50n, 250)).toBe(0);
    expect(positions.lagMs(20n, 250)).toBeUndefined();
  });
});

describe('a replica', () => {
  /** Whether it is used after each poll; `'failed'` is a failure. */
  const usedAfter = (...polls: readonly (number | undefined | 'failed')[]): string => {
    const admission = new Admission(1_000);
    const used = polls.map((lagMs) => {
      if (lagMs === 'failed') admission.failed();
      else admission.polled(lagMs);
      return admission.isUsed ? 'y' : 'n';
    });
    return used.join('');
  };

  test.each([
    ['after three good polls', [0, 0, 500, 0], 'nnyy'],
    ['not while its lag exceeds half of the maximum', [0, 0, 501, 501, 500, 500, 500], 'nnnnnny'],
    ['until its lag exceeds the maximum', [0, 0, 0, 1_000, 1_001, 600], 'nnyynn'],
    ['not if its lag is unknown', [0, 0, 0, undefined, 0, 0, 0], 'nnynnny'],
    ['again after three good polls since a failure', [0, 0, 0, 'failed', 0, 0, 0], 'nnynnny'],
  ] as const)('is used %s', (_, polls, used) => {
    expect(usedAfter(...polls)).toBe(used);
  });
});

test('a statement of a replica that is left out fails as by a lost connection', async () => {
  const replica = await replicaAt(database.url);
  const statement = { text: 'SELECT pg_sleep(3)', values: [], plan: 'custom' } as const;
  const failed = replica.rows(statement).catch((error: unknown) => error);
  // It does not replicate, as after its promotion.
  await replica.poll(undefined, new PrimaryPositions(1_000));
  expect(failureOf(await failed)).toBe('connection');
});

test('a replica that does not respond is not known to have replayed a position', async () => {
  const replica = await replicaAt(`postgres://127.0.0.1:${await freePort()}/none`);
  const asked = Array.from({ length: 3 }, () => replica.hasReplayed(1n));
  expect(await Promise.all(asked)).toEqual([false, false, false]);
});

test('a replica is left out after two polls in a row without a response in time', async () => {
  const replica = await replicaAt(proxy.url);
  const probe = await closedAfterAll(new Probe(database.url, logger));
  // The primary itself is accepted as a replica.
  const primary = await probe.state();
  const positions = new PrimaryPositions(600_000);
  positions.record(0n, 0);
  const poll = async () => {
    await replica.poll(primary, positions);
    return replica.isUsed;
  };
  expect([await poll(), await poll(), await poll()]).toEqual([false, false, true]);
  for (const isUsed of [true, false]) {
    // Connects again.
    expect(await replica.hasReplayed(2n ** 60n)).toBe(false);
    proxy.silence();
    expect(await poll()).toBe(isUsed);
  }
});

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
    logger,
  });
  for (const connection of [1, 2]) {
    const read = reads.rows({ text: 'SELECT 1', values: [], plan: 'custom' });
    await expect(read).rejects.toMatchObject({ code: 'unavailable' });
    expect(connections).toBe(connection);
  }
  await reads.close();
  server.close();
});

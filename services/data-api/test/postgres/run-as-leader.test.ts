import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { createTestDatabase, endConnections, eventually, type TestDatabase } from '@vcds/test-kit';
import { ADVISORY_LOCKS } from '../../src/postgres/advisory-locks.ts';
import { runAsLeader } from '../../src/postgres/run-as-leader.ts';

interface Process {
  isLeading: boolean;
  failures: number;
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
}

let database: TestDatabase;
const started: Process[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const process of started.splice(0)) await process.close();
});
afterAll(() => database.drop());

/** A job that leads until it is closed or its session ends. */
function start(name: string, connectionString = database.url): Process {
  const stop = new AbortController();
  const log: string[] = [];
  const done = runAsLeader({
    connectionString,
    name,
    lock: ADVISORY_LOCKS.signalPublisher,
    settings: {},
    statementMsMax: 10_000,
    retryMs: 1,
    logger: createLogger({ service: 'test', sink: { write: (line) => log.push(line) } }),
    signal: stop.signal,
    lead: async (client) => {
      const lost = once(client, 'end').then(() => Promise.reject(new Error('session lost')));
      process.isLeading = true;
      await Promise.race([lost, once(stop.signal, 'abort')]).finally(() => {
        process.isLeading = false;
      });
      return 0;
    },
    onFailure: () => {
      process.failures += 1;
    },
  });
  const close = async () => {
    stop.abort();
    await done;
  };
  const process: Process = { isLeading: false, failures: 0, log, close };
  started.push(process);
  return process;
}

test('one process leads; when it is closed, another takes over', async () => {
  const first = start('first');
  await eventually(() => first.isLeading);
  const second = start('second');
  await first.close();
  expect(first.isLeading).toBe(false);
  await eventually(() => second.isLeading);
  expect(second.failures).toBe(0);
});

test('a process that loses its session reconnects', async () => {
  const process = start('ended');
  await eventually(() => process.isLeading);
  await endConnections(database.url, 'ended');
  await eventually(() => process.failures === 1 && process.isLeading);
  expect(process.log).toHaveLength(1);
});

test('an outage is one line in the log, however often it reconnects', async () => {
  const process = start('outage', database.url.replace(/\/[^/]+$/, '/no_such_database'));
  await eventually(() => process.failures >= 3);
  await process.close();
  expect(process.log).toEqual([expect.stringContaining('background job failed; retrying')]);
});

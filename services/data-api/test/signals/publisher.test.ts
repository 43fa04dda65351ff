// Tests docs/spec/signals.md 9.1, 9.7, 9.8, 9.9, 9.13.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import {
  atLength,
  closedAfterAll,
  createTestDatabase,
  endConnections,
  eventually,
} from '@vcds/test-kit';
import pg from 'pg';
import { LogFloor } from '../../src/worker/log-floor.ts';
import type { PublisherMetrics } from '../../src/worker/publish-signals/metrics.ts';
import { beginTerm, publishBatch } from '../../src/worker/publish-signals/publish-batch.ts';
import type { SignalPublisher } from '../../src/worker/publish-signals/publisher.ts';
import { openApi } from '../support/api.ts';
import { measured, published, type SignalPage, startPublisher } from './support/feed.ts';
import { Follower } from './support/follower.ts';
import { Publishers } from './support/publishers.ts';
import { write } from './support/writers.ts';

const started: SignalPublisher[] = [];
const api = await closedAfterAll(openApi({ seed: 'SELECT 1' }));
const url = api.sql.options.connectionString ?? '';
afterEach(async () => {
  await Promise.all(started.splice(0).map((publisher) => publisher.close()));
});

interface Watched {
  readonly publisher: SignalPublisher;
  isLeading: boolean;
  count: number;
  failures: number;
}

/** A publisher with observed metrics. */
function watch(): Watched {
  const watched = { isLeading: false, count: 0, failures: 0 };
  const metrics: PublisherMetrics = {
    published: (shares) => {
      for (const { count } of shares) watched.count += count;
    },
    leads: (isLeading) => {
      watched.isLeading = isLeading;
    },
    failed: () => {
      watched.failures += 1;
    },
  };
  const publisher = startPublisher(url, metrics);
  started.push(publisher);
  return Object.assign(watched, { publisher });
}

const add = (names: number) =>
  api.sql.query(`INSERT INTO venture.startup (name) SELECT 's' FROM generate_series(1, $1::int)`, [
    names,
  ]);

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(condition);
}

const isAsleep = async () =>
  (await api.sql.query('SELECT asleep FROM venture.signal_publisher')).rows[0]?.asleep === true;

describe('one leader', () => {
  test('the second publisher leads when the first one ends, not before', async () => {
    const first = watch();
    await until(() => first.isLeading);
    const second = watch();
    const counted = (signals: number) => until(() => first.count + second.count === signals);
    await add(5);
    await counted(5);
    expect([first.count, second.count, second.isLeading]).toEqual([5, 0, false]);
    await first.publisher.close();
    await add(5);
    await counted(10);
    expect([first.count, second.count, second.isLeading]).toEqual([5, 5, true]);
  });

  test('a publisher reconnects after the loss of its session', async () => {
    const only = watch();
    await until(() => only.isLeading);
    expect(await endConnections(url, 'data-worker signal publisher')).toBe(1);
    await until(() => only.failures > 0);
    await add(3);
    await published(api.sql);
    await until(() => only.count === 3);
    expect(only.isLeading).toBe(true);
  });

  test('a missing database is retried once a second', async () => {
    const failuresMs: number[] = [];
    const metrics: PublisherMetrics = {
      published: () => undefined,
      leads: () => undefined,
      failed: () => {
        failuresMs.push(performance.now());
      },
    };
    const nowhere = startPublisher(url.replace(/\/[^/]+$/, '/no_such_database'), metrics);
    await until(() => failuresMs.length >= 2);
    await nowhere.close();
    expect((failuresMs[1] ?? 0) - (failuresMs[0] ?? 0)).toBeGreaterThan(900);
  });

  test('a closed publisher holds no lock', async () => {
    const ended = watch();
    await until(() => ended.isLeading);
    await ended.publisher.close();
    const { rows } = await api.sql.query(
      `SELECT count(*)::int AS locks FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE locktype = 'advisory' AND d.datname = current_database()`,
    );
    expect(rows).toEqual([{ locks: 0 }]);
  });
});

describe('publishing', () => {
  test('sleeps while the outbox is empty; a write wakes it', async () => {
    const only = watch();
    await until(isAsleep);
    await add(1);
    await until(() => only.count === 1);
    await until(async () => !(await isAsleep()));
    await until(isAsleep);
  });

  test('a stalled transaction does not delay others', async () => {
    const only = watch();
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`BEGIN; INSERT INTO venture.startup (name) VALUES ('stalled')`);
    await add(7);
    await until(() => only.count === 7);
    await client.query('COMMIT');
    await until(() => only.count === 8);
    await client.end();
  });

  test('rows that an old snapshot keeps alive are not scanned again', async () => {
    const only = watch();
    await until(() => only.isLeading);
    const client = new pg.Client(url);
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM venture.startup');
    await add(12_000);
    await until(() => only.count === 12_000);
    await add(10);
    await until(() => only.count === 12_010);
    const { rows } = await client.query('SELECT count(*)::int AS rows FROM venture.signal_outbox');
    expect(rows).toEqual([{ rows: 0 }]);
    await client.query('COMMIT');
    await client.end();
  });
});

describe('metrics', () => {
  test('count published and waiting signals, with or without a publisher', async () => {
    const { registry, metrics } = measured(api.sql);
    await add(4);
    const waiting = await registry.metrics();
    expect(waiting).toMatch(/^vcds_signals_backlog\{.*\} 4$/m);
    expect(waiting).toMatch(/^vcds_signals_lag_seconds\{.*\} \d*\.\d+$/m);
    started.push(startPublisher(url, metrics));
    await published(api.sql);
    await until(async () =>
      /vcds_signals_published_total\{.*\} 4$/m.test(await registry.metrics()),
    );
    const text = await registry.metrics();
    expect(text).toMatch(/^vcds_signals_backlog\{.*\} 0$/m);
    expect(text).toMatch(/^vcds_signals_lag_seconds\{.*\} 0$/m);
    expect(text).toMatch(/^vcds_signals_published_total\{type="startup.added".*\} 4$/m);
    expect(text).toMatch(/^vcds_signals_publish_delay_seconds_count\{.*\} 4$/m);
    expect(text).toMatch(/^vcds_signals_publisher_leader\{.*\} 1$/m);
  });

  test('an unreachable database does not affect the other metrics', async () => {
    const pool = new pg.Pool({ connectionString: 'postgres://user@127.0.0.1:1/none' });
    const { registry } = measured(pool);
    expect(await registry.metrics()).toMatch(/^vcds_signals_backlog\{.*\} Nan$/m);
    await pool.end();
  });
});

const database = await createTestDatabase();
const publisher = new pg.Client(database.url);
const writer = new pg.Client(database.url);
await publisher.connect();
await writer.connect();
afterAll(async () => {
  await publisher.end();
  await writer.end();
  await database.drop();
});

const ADD_STARTUP = `INSERT INTO venture.startup (name) VALUES ('s')`;

test('the floor never passes a change of a running transaction', async () => {
  const floor = new LogFloor('venture.signal_outbox_serial_seq');
  const publish = async () => {
    const batch = await publishBatch(publisher, 0n, floor.position, 100);
    floor.taken(batch, 100);
    return batch.count;
  };
  await writer.query('BEGIN');
  await writer.query(ADD_STARTUP);
  await floor.mark(publisher);
  expect([await publish(), floor.position]).toEqual([0, 0n]);
  await writer.query('COMMIT');
  expect(await publish()).toBe(1);
  // Transactions in other databases of the server delay it.
  await eventually(async () => {
    expect(await publish()).toBe(0);
    return floor.position > 0n;
  });
  expect(floor.position).toBe(1n);
  await writer.query(ADD_STARTUP);
  expect([await publish(), floor.position]).toEqual([1, 1n]);
});

test('the floor of an empty outbox is 0', async () => {
  const empty = await createTestDatabase();
  const client = new pg.Client(empty.url);
  await client.connect();
  const floor = new LogFloor('venture.signal_outbox_serial_seq');
  await floor.mark(client);
  floor.taken(await publishBatch(client, 0n, floor.position, 100), 100);
  expect(floor.position).toBe(0n);
  await client.query(ADD_STARTUP);
  expect((await publishBatch(client, 0n, floor.position, 100)).count).toBe(1);
  await client.end();
  await empty.drop();
});

test('a full batch moves the floor only to its end', async () => {
  const floor = new LogFloor('venture.signal_outbox_serial_seq');
  await writer.query(`INSERT INTO venture.startup (name) SELECT 's' FROM generate_series(1, 30)`);
  await floor.mark(publisher);
  const batch = await publishBatch(publisher, 0n, floor.position, 10);
  floor.taken(batch, 10);
  expect([batch.count, floor.position]).toEqual([10, 0n]);
  for (let rest = 20; floor.position === 0n; rest = 0) {
    const next = await publishBatch(publisher, 0n, floor.position, 25);
    floor.taken(next, 25);
    expect(next.count).toBe(rest);
  }
  expect(floor.position).toBe(32n);
});

test('a batch of an earlier term publishes nothing', async () => {
  const term = await beginTerm(publisher);
  await writer.query(ADD_STARTUP);
  expect(await beginTerm(writer)).toBe(term + 1n);
  await expect(publishBatch(publisher, term, 0n, 10)).rejects.toThrow(
    'Another process is the leader',
  );
  expect((await publishBatch(writer, term + 1n, 0n, 10)).count).toBe(1);
});

const folder = fileURLToPath(new URL('../..', import.meta.url));
const MINUTE_MS = 60_000;

const attacked = await closedAfterAll(openApi({ seed: 'SELECT 1' }));
// The publishers run from the build.
const publishers = await closedAfterAll(
  new Publishers(folder, attacked.sql.options.connectionString ?? '', 700),
);

test(
  'with 24 writers, stalls, roll-backs and publishers that are killed, a follower gets every ' +
    'committed change once, in order, and closed windows do not change',
  async () => {
    const page = async (query: Readonly<Record<string, string>>): Promise<SignalPage> => {
      const reply = await attacked.get('/signals', query);
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body as SignalPage;
    };
    const follower = new Follower(page, '2020-01-01');
    let isOver = false;
    const following = follower.follow(() => isOver);
    const written = await write({
      url: attacked.sql.options.connectionString ?? '',
      writers: 24,
      changesMin: atLength(4_000, 50_000),
      changesPerTransaction: 8,
      sharedStartups: 400,
      stallMsMax: 150,
      rollbackShare: 0.05,
      seed: 7,
    });
    publishers.spare();
    await published(attacked.sql);
    isOver = true;
    await following;
    expect(follower.check(written.expected)).toEqual([]);
    expect(follower.ids).toHaveLength(written.expected.size);
    const closed = await follower.checkWindows();
    expect(closed.faults).toEqual([]);
    expect(closed.windows).toBeGreaterThan(5);
    expect(written.rolledBack).toBeGreaterThan(0);
    expect(publishers.kills).toBeGreaterThan(atLength(0, 10));
    const { rows } = await attacked.sql.query(
      `SELECT count(*)::int AS signals, max(position)::int AS last,
         count(DISTINCT id)::int AS ids FROM venture.signal`,
    );
    const signals = written.expected.size;
    expect(rows).toEqual([{ signals, last: signals, ids: signals }]);
  },
  atLength(2, 10) * MINUTE_MS,
);

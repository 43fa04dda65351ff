// Tests docs/spec/operations.md 16.3.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { closedAfterAll, createTestDatabase, eventually } from '@vcds/test-kit';
import pg from 'pg';
import { cancelOnAbort } from '../../src/postgres/cancel-statement.ts';
import { Database } from '../../src/postgres/database.ts';
import { assertDirect, leadsToPooler } from '../../src/postgres/direct-connection.ts';
import { isOutage } from '../../src/postgres/errors.ts';
import { StatementNames } from '../../src/postgres/plan-cache.ts';
import type { Statement } from '../../src/postgres/statement.ts';
import { FacetIndexer } from '../../src/worker/index-facets/facet-indexer.ts';
import { SignalPublisher } from '../../src/worker/publish-signals/publisher.ts';
import { columnarEngine } from '../categories/support/engines.ts';
import { AUTHENTICATED, READY, SHUTTING_DOWN } from '../support/postgres-messages.ts';
import { openSilencingProxy } from '../support/silencing-proxy.ts';

// Connections that stay open without traffic, as after a loss of the server or the network.

/** For the background jobs, which retry. */
const STATEMENT_MS_MAX = 200;
/** For a read, which fails: longer than a loaded server takes. */
const READ_MS_MAX = 2_000;
const logger = createLogger({ service: 'test', level: 'silent' });

const testDatabase = await createTestDatabase();
const sql = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
sql.on('error', () => undefined);
const proxy = await closedAfterAll(openSilencingProxy(testDatabase.url));
afterAll(async () => {
  await sql.end();
  await testDatabase.drop();
});

test('a statement whose server cannot be reached to cancel it ends without an error', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const backend = { host: '127.0.0.1', port, processID: 1, secretKey: 1 };
  const leaving = new AbortController();
  const end = cancelOnAbort(backend as unknown as pg.PoolClient, leaving.signal);
  leaving.abort();
  await expect(end()).resolves.toBeUndefined();
});

test('a read fails with unavailable, prepared or not, and the next one succeeds', async () => {
  const database = new Database({
    connectionString: proxy.url,
    connectionsMax: 1,
    statementMsMax: READ_MS_MAX,
    scanMsMax: 100,
    logger,
  });
  const read = (text: string, plan: Statement['plan'] = 'generic') =>
    database.rows({ text, values: [], plan });
  // The second execution prepares a text, unless the first one was slow.
  const [first, second] = ['SELECT 1 AS one', 'SELECT 1 AS "one"'];
  for (const text of [first, second, first]) expect(await read(text)).toEqual([{ one: 1 }]);
  const reads = () => Promise.allSettled([read(second), read(second, 'custom')]);
  const answered = { status: 'fulfilled', value: [{ one: 1 }] };
  proxy.silence();
  const rejected = { status: 'rejected', reason: { code: 'unavailable' } };
  const failed = await reads();
  expect(failed).toMatchObject([rejected, rejected]);
  expect(failed.map((each) => 'reason' in each && isOutage(each.reason))).toEqual([true, true]);
  expect(await reads()).toEqual([answered, answered]);
  // A time limit is not an outage.
  const slow = { text: 'SELECT pg_sleep(60)', values: [], plan: 'custom' as const, scans: true };
  const limited = await database.rows(slow).catch((error: unknown) => error);
  expect(limited).toMatchObject({ code: 'unavailable' });
  expect(isOutage(limited)).toBe(false);
  await database.close();
});

describe('through a pooler that gives a connection to each transaction', () => {
  const SETTINGS = ['statement_timeout', 'search_path', 'transaction_read_only', 'jit', 'timezone'];

  test.each([
    ['without prepared statements', 'transaction', 0],
    ['with prepared statements', 'prepared', 1],
  ] as const)('a statement has the settings of reads, %s', async (_, pooler, namedCount) => {
    const connectionString = testDatabase.url;
    const database = new Database({
      ...{ connectionString, connectionsMax: 1, statementMsMax: READ_MS_MAX, pooler, logger },
    });
    const columns = SETTINGS.map((name) => `current_setting('${name}')`).join(', ');
    const text = `SELECT ARRAY[${columns}] AS settings, $1::int AS number`;
    const expected = [`${READ_MS_MAX / 1000}s`, 'venture, public', 'on', 'off', 'UTC'];
    for (const number of [1, 2, 3]) {
      const rows = await database.rows({ text, values: [number], plan: 'generic' });
      expect(rows).toEqual([{ settings: expected, number }]);
    }
    // The settings end with the transaction, and the session keeps no other state.
    const after = await database.pool.query(`SELECT current_setting('search_path') AS path`);
    expect(after.rows[0].path).not.toContain('venture');
    const named = await database.pool.query('SELECT name FROM pg_prepared_statements');
    expect(named.rowCount).toBe(namedCount);
    await database.close();
  });

  test('an invalid or slow statement fails alone', async () => {
    const database = new Database({
      ...{ connectionString: testDatabase.url, connectionsMax: 1, statementMsMax: 1_000, logger },
      pooler: 'transaction',
    });
    const read = (text: string) => database.rows({ text, values: [], plan: 'generic' });
    await expect(read('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await expect(read('CREATE TABLE venture.made ()')).rejects.toMatchObject({ code: '25006' });
    const lacking = { text: 'SELECT $1::int + $2::int', values: [1], plan: 'generic' } as const;
    await expect(database.rows(lacking)).rejects.toMatchObject({ code: '08P01' });
    await expect(read('SELECT pg_sleep(60)')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await read('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  test('no job takes a lock: its session lacks the mark of a direct connection', async () => {
    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    await expect(assertDirect(client)).rejects.toThrow('pooler');
    await client.end();
    expect(await leadsToPooler(testDatabase.url)).toBe(false);
  });
});

test('publisher, indexer and columnar engine reconnect, and miss nothing', async () => {
  const connectionString = proxy.url;
  const metrics = { published: () => undefined, leads: () => undefined, failed: () => undefined };
  const publisher = new SignalPublisher({
    connectionString,
    logger,
    metrics,
    statementMsMax: STATEMENT_MS_MAX,
  });
  const indexer = new FacetIndexer({
    connectionString,
    logger,
    times: { pollMs: 20, retryMs: 20, statementMsMax: STATEMENT_MS_MAX },
  });
  indexer.start();
  const engine = columnarEngine(connectionString, { silentMsMax: 600 });
  engine.start();
  const isPublishedAndCounted = async (startups: number) => {
    const { rows } = await sql.query('SELECT count(*)::int AS signals FROM venture.signal');
    return rows[0].signals === startups && engine.state().rows.startups === startups;
  };
  try {
    await sql.query(`INSERT INTO venture.startup (name) VALUES ('Before')`);
    await eventually(() => isPublishedAndCounted(1));
    proxy.silence();
    await sql.query(`INSERT INTO venture.startup (name) VALUES ('Meanwhile')`);
    await eventually(() => isPublishedAndCounted(2));
  } finally {
    await Promise.all([publisher.close(), indexer.close(), engine.close()]);
  }
});

test('the columnar engine keeps its thread while connections are silent from the beginning', async () => {
  proxy.silenceNextAfter(0);
  const before = proxy.connections();
  const errors: string[] = [];
  const ignore = () => undefined;
  const engine = columnarEngine(proxy.url, {
    connection: { connectionString: proxy.url, connectionTimeoutMillis: 300 },
    logger: { info: ignore, warn: ignore, error: (_, text) => errors.push(text) },
  });
  try {
    engine.start();
    await eventually(() => engine.state().ready);
    expect(proxy.connections() - before).toBeGreaterThan(1);
    expect(errors).toEqual([]);
  } finally {
    await engine.close();
  }
});

test('the columnar engine loads again after a connection that goes silent half-way', async () => {
  await sql.query(`
    INSERT INTO venture.startup_facet (id, codes, deleted, version, figures)
      SELECT gen_random_uuid(), '{}', false, 1, array_fill(1::float8, '{8}') FROM generate_series(1, 20000)`);
  const { rows } = await sql.query('SELECT count(*)::int AS startups FROM venture.startup_facet');
  proxy.silenceNextAfter(300_000);
  const before = proxy.connections();
  const engine = columnarEngine(proxy.url, { silentMsMax: 600 });
  try {
    engine.start();
    await eventually(() => engine.state().ready);
    expect(engine.state().rows.startups).toBe(rows[0].startups);
    expect(proxy.connections() - before).toBeGreaterThan(1);
  } finally {
    await engine.close();
  }
});

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
  ['with a generic plan', 'generic'],
  ['planned for its values', 'custom'],
] as const)(
  'a read whose connection is lost before the query is sent fails with unavailable: %s',
  async (_, plan) => {
    const read = () => database.rows({ text: 'SELECT 1', values: [], plan });
    // The second execution of a text prepares it.
    for (let time = 0; time < 3; time += 1) {
      await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
    }
  },
);

test('a text gets a name with its second execution, and keeps it', () => {
  const shapes = new StatementNames();
  expect(shapes.nameOf('SELECT 1')).toBeUndefined();
  const named = shapes.nameOf('SELECT 1');
  expect(named?.name).toMatch(/^[\w-]{32}$/);
  expect(named?.text).toBe('SELECT 1');
  expect(shapes.nameOf('SELECT 1')).toBe(named);
  expect(shapes.nameOf('SELECT 2')).toBeUndefined();
});

test('a text of more than 32,000 characters gets no name', () => {
  const shapes = new StatementNames();
  const nameTwice = (text: string) => [shapes.nameOf(text), shapes.nameOf(text)][1];
  expect(nameTwice('x'.repeat(32_000))).toBeDefined();
  expect(nameTwice('x'.repeat(32_001))).toBeUndefined();
});

test('at most 500 texts have names: one more replaces the least recently used', () => {
  const shapes = new StatementNames();
  const nameTwice = (text: string) => [shapes.nameOf(text), shapes.nameOf(text)][1];
  for (let index = 0; index < 500; index++) expect(nameTwice(`SELECT ${index}`)).toBeDefined();
  const hot = shapes.nameOf('SELECT 0');
  for (let index = 500; index < 900; index++) expect(nameTwice(`SELECT ${index}`)).toBeDefined();
  expect(shapes.nameOf('SELECT 0')).toBe(hot);
  expect(shapes.nameOf('SELECT 401')).toBeDefined();
  expect(shapes.nameOf('SELECT 1')).toBeUndefined();
});

interface Plans {
  readonly pid: number;
  readonly generic: number;
  readonly custom: number;
}

const PLANS = `SELECT pg_backend_pid() AS pid, sum(generic_plans)::int AS generic,
  sum(custom_plans)::int AS custom FROM pg_prepared_statements`;

async function openReads(statementMsMax: number) {
  const connectionString = testDatabase.url;
  const reads = new Database({ connectionString, connectionsMax: 1, statementMsMax, logger });
  const plansOf = async (plan: Statement['plan']): Promise<Plans | undefined> =>
    (await reads.pools.primary?.[`${plan}_plan`]?.query<Plans>(PLANS))?.rows[0];
  const read = (plan: Statement['plan']) =>
    reads.rows({ text: `SELECT '${plan}' FROM venture.fund LIMIT $1`, values: [1], plan });
  for (const plan of ['generic', 'custom', 'generic', 'custom'] as const) await read(plan);
  return { reads, plansOf, read };
}

test.each([
  ['that ends', 10_000, 'fulfilled'],
  ['beyond the time limit', 2_000, 'rejected'],
] as const)('a stall %s changes neither plans nor connections', async (_, msMax, status) => {
  const { reads, plansOf, read } = await openReads(msMax);
  const before = await Promise.all([plansOf('generic'), plansOf('custom')]);
  const [{ pid: generic } = { pid: 0 }, { pid: custom } = { pid: 0 }] = before;
  const lock = await sql.connect();
  await lock.query('BEGIN; LOCK TABLE venture.fund');
  const stalled = Promise.allSettled([read('generic'), read('custom')]);
  // Until the limit, or longer than both reads take without the lock.
  await (status === 'rejected' ? stalled : lock.query('SELECT pg_sleep(0.2)'));
  await lock.query('COMMIT');
  lock.release();
  expect(await stalled).toMatchObject([{ status }, { status }]);
  for (const plan of ['generic', 'custom'] as const) await read(plan);
  // A cancelled statement had not been planned if it waited for the lock before.
  const after = await Promise.all([plansOf('generic'), plansOf('custom')]);
  expect(after).toMatchObject([
    { pid: generic, custom: 0 },
    { pid: custom, generic: 0 },
  ]);
  const grown = (index: 0 | 1, kind: 'generic' | 'custom') =>
    (after[index]?.[kind] ?? 0) - (before[index]?.[kind] ?? 0);
  const [least, most] = [1, 2];
  for (const count of [grown(0, 'generic'), grown(1, 'custom')]) {
    expect(count).toBeGreaterThanOrEqual(least);
    expect(count).toBeLessThanOrEqual(most);
  }
  await reads.close();
});

test('idle connections stay open, with their prepared statements', async () => {
  const { reads } = await openReads(10_000);
  const timers = Object.values(reads.pools.primary ?? {}).map(({ options }) => [
    options.idleTimeoutMillis,
    options.maxLifetimeSeconds,
  ]);
  expect(timers).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  await reads.close();
});

test('a connection has at most 501 prepared statements, and new texts are still prepared', async () => {
  const { url, drop } = await createTestDatabase();
  const database = new Database({
    connectionString: url,
    connectionsMax: 1,
    statementMsMax: 10_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const read = (text: string) =>
    database.rows<{ n: number }>({ text, values: [], plan: 'generic' });
  const held = async () => {
    const { rows } = await database.pool.query('SELECT name FROM pg_prepared_statements');
    return rows.length;
  };
  const most: number[] = [];
  for (let index = 0; index < 600; index++) {
    const text = `SELECT ${index} AS n`;
    expect([await read(text), await read(text)]).toEqual([[{ n: index }], [{ n: index }]]);
    if (index % 100 === 99) most.push(await held());
  }
  expect(most).toEqual([100, 200, 300, 400, 500, 99]);
  await database.close();
  await drop();
});

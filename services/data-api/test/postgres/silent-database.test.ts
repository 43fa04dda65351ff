import { afterAll, expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { closedAfterAll, createTestDatabase, eventually } from '@vcds/test-kit';
import pg from 'pg';
import { FacetIndexer } from '../../src/background/index-facets/facet-indexer.ts';
import { SignalPublisher } from '../../src/background/publish-signals/publisher.ts';
import { Database, isOutage } from '../../src/postgres/database.ts';
import { columnarEngine } from '../categories/support/engines.ts';
import { openSilencingProxy } from '../support/silencing-proxy.ts';

// Connections that stay open without traffic, as after a loss of the server or the network.

/** For the background jobs, which retry. */
const STATEMENT_MS_MAX = 200;
/** For a read, which fails: longer than a loaded server takes. */
const READ_MS_MAX = 2_000;
/** A read has failed by then, also on a loaded machine. */
const FAILED_MS_MAX = READ_MS_MAX + 1_000 + 5_000;
const logger = createLogger({ service: 'test', level: 'silent' });

const testDatabase = await createTestDatabase();
const sql = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
sql.on('error', () => undefined);
const proxy = await closedAfterAll(openSilencingProxy(testDatabase.url));
afterAll(async () => {
  await sql.end();
  await testDatabase.drop();
});

test('a read fails with unavailable, prepared or not, and the next one succeeds', async () => {
  const database = new Database({
    connectionString: proxy.url,
    connectionsMax: 1,
    statementMsMax: READ_MS_MAX,
    scanMsMax: 100,
    logger,
  });
  const read = (text: string, recurs = true) => database.rows({ text, values: [], recurs });
  // The second execution prepares a text, unless the first one was slow.
  const [first, second] = ['SELECT 1 AS one', 'SELECT 1 AS "one"'];
  for (const text of [first, second, first]) expect(await read(text)).toEqual([{ one: 1 }]);
  const reads = () => Promise.allSettled([read(second), read(second, false)]);
  const answered = { status: 'fulfilled', value: [{ one: 1 }] };
  proxy.silence();
  const askedMs = performance.now();
  const rejected = { status: 'rejected', reason: { code: 'unavailable' } };
  const failed = await reads();
  expect(failed).toMatchObject([rejected, rejected]);
  expect(failed.map((each) => 'reason' in each && isOutage(each.reason))).toEqual([true, true]);
  expect(performance.now() - askedMs).toBeLessThan(FAILED_MS_MAX);
  expect(await reads()).toEqual([answered, answered]);
  // A time limit is not an outage.
  const slow = { text: 'SELECT pg_sleep(60)', values: [], recurs: false, scans: true };
  const limited = await database.rows(slow).catch((error: unknown) => error);
  expect(limited).toMatchObject({ code: 'unavailable' });
  expect(isOutage(limited)).toBe(false);
  await database.close();
});

test('publisher, indexer and columnar engine reconnect, and miss nothing', async () => {
  const connectionString = proxy.url;
  const metrics = { published: () => undefined, leads: () => undefined, failed: () => undefined };
  const publisher = SignalPublisher.start({
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

test('the columnar engine loads again after a connection that goes silent half-way', async () => {
  await sql.query(`
    INSERT INTO venture.startup_facet (id, codes, deleted, version)
      SELECT gen_random_uuid(), '{}', false, 1 FROM generate_series(1, 20000)`);
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

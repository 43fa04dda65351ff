// Tests docs/spec/credits.md 10.10.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { BUCKETS, bucketOfAccount, bucketTag } from '@vcds/credentials';
import { createLogger, redisReady, type Service } from '@vcds/service-kit';
import {
  atLength,
  createTestDatabase,
  createTestRedisServer,
  endConnections,
  eventually,
  killServices,
  spawnService,
  type TestDatabase,
} from '@vcds/test-kit';
import pg from 'pg';
import { readWorkerConfig } from '../../src/config.ts';
import { startWorker } from '../../src/worker.ts';
import { openSpender, type Spender } from './spender.ts';
import { accountsIn } from './spending.ts';

const server = await createTestRedisServer({ durable: true });
let database: TestDatabase;
let pool: pg.Pool;
let spender: Spender;

afterAll(() => server.drop());
beforeEach(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => {});
  spender = await openSpender(server.url);
  await spender.redis.flushall();
});
afterEach(async () => {
  killServices();
  await spender.close();
  await pool.end();
  await database.drop();
});

const environment = () => ({
  DATABASE_URL: database.urlOf('vcds_access_api'),
  REDIS_URL: server.url,
  CODE_SECRET: 'no-secret-of-value-'.repeat(2),
});
const untilReady = (url: string) => eventually(async () => (await fetch(`${url}/ready`)).ok);
const inProcess = async (sink: string[] = []): Promise<{ service: Service; url: string }> => {
  const config = readWorkerConfig({ ...environment(), WORKER_INTERNAL_PORT: '0' });
  const logger = createLogger({ service: 'w', sink: { write: (line) => void sink.push(line) } });
  const service = await startWorker(config, { logger });
  return { service, url: `http://127.0.0.1:${service.ports.internal}` };
};
const kept = async (): Promise<Map<string, number>> => {
  const { rows } = await pool.query('SELECT op, charged FROM access.charge');
  return new Map(rows.map(({ op, charged }) => [op, charged]));
};
const keptCount = async (): Promise<number> =>
  Number((await pool.query('SELECT count(*) FROM access.charge')).rows[0].count);
/** So many charges more came to PostgreSQL meanwhile. */
const untilMoreKept = async (count: number): Promise<void> => {
  const wanted = (await keptCount()) + count;
  await eventually(async () => (await keptCount()) >= wanted);
};
/** Every confirmed charge is in PostgreSQL once, with its amount, and none waits. */
const untilAllKept = async (): Promise<void> => {
  await eventually(async () => (await keptCount()) >= spender.charged.size);
  expect(await kept()).toEqual(spender.charged);
};
const sumIn = async (account: string): Promise<number> => {
  const text = 'SELECT coalesce(sum(charged), 0) AS sum FROM access.charge WHERE account_id = $1';
  return Number((await pool.query(text, [account])).rows[0].sum);
};

describe('the worker', () => {
  test('opens every bucket of a new installation, and only then is ready', async () => {
    const { service, url } = await inProcess();
    await untilReady(url);
    const buckets = Array.from({ length: BUCKETS }, (_, number) => `${bucketTag(number)}:bucket`);
    const open = await Promise.all(buckets.map((key) => spender.redis.hget(key, 'open')));
    expect(new Set(open)).toEqual(new Set(['1']));
    await service.stop();
    await expect(fetch(`${url}/live`)).rejects.toThrow('fetch failed');
  });

  test('brings every charge to PostgreSQL within seconds, and measures it', async () => {
    const { service, url } = await inProcess();
    const accounts = Array.from({ length: 30 }, () => randomUUID());
    for (const [number, account] of accounts.entries()) await spender.charge(account, number + 1);
    await untilAllKept();
    await eventually(async () => {
      // A stream without entries is still a key.
      const streams = await spender.redis.keys('*:ledger');
      const waiting = await Promise.all(streams.map((key) => spender.redis.xlen(key)));
      return waiting.every((count) => count === 0);
    });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/vcds_ledger_charges_drained_total\{.*\} 30\n/);
    expect(metrics).toMatch(/vcds_ledger_lag_seconds_count\{.*\} [1-9]/);
    expect(metrics).toMatch(/vcds_ledger_buckets_repaired_total\{.*\} 256\n/);
    expect(metrics).toMatch(/vcds_ledger_charges_pending\{.*\} \d+\n/);
    const end = /vcds_charge_partitions_end_timestamp_seconds\{.*\} (\d+)\n/.exec(metrics)?.[1];
    // Partitions exist for this month and the next three.
    const today = new Date();
    const months = [4, 5].map(
      (n) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + n) / 1e3,
    );
    expect(months[0] === Number(end) || months[1] === Number(end)).toBe(true);
    await service.stop();
  });

  test('is alive but not ready while Redis is away, and goes on by itself', async () => {
    await server.kill();
    const { service, url } = await inProcess();
    expect((await fetch(`${url}/live`)).status).toBe(200);
    const answer = await fetch(`${url}/ready`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ checks: { redis: 'failed', ledger: 'failed' } });
    await server.restart();
    await redisReady(spender.redis);
    await untilReady(url);
    const account = randomUUID();
    await spender.charge(account, 3);
    await untilAllKept();
    await service.stop();
  });

  test('while Redis is frozen, says so within seconds, and its other metrics are read', async () => {
    const { service, url } = await inProcess();
    await untilReady(url);
    const pid = Number(/process_id:(\d+)/.exec(await spender.redis.info('server'))?.[1]);
    process.kill(pid, 'SIGSTOP');
    try {
      const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(10_000) });
      expect(await answer.json()).toMatchObject({ checks: { queue: 'failed', database: 'ok' } });
      const scrape = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) });
      const text = await scrape.text();
      expect(text).toMatch(/^vcds_check_passed\{check="queue",.*\} 0$/m);
      expect(text).toMatch(/^vcds_metric_omitted\{metric="vcds_mail_queue_jobs",.*\} 1$/m);
      expect(text).toMatch(/^process_cpu_user_seconds_total/m);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await untilReady(url);
    await service.stop();
  });

  test('acknowledges nothing while PostgreSQL is away, and loses nothing', async () => {
    const lines: string[] = [];
    const { service, url } = await inProcess(lines);
    await untilReady(url);
    const name = new URL(database.url).pathname.slice(1);
    const operator = new pg.Client({ connectionString: database.url.replace(name, 'postgres') });
    await operator.connect();
    await operator.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    expect(await endConnections(database.url)).toBeGreaterThan(0);
    const account = randomUUID();
    for (let credits = 1; credits <= 20; credits++) await spender.charge(account, credits);
    await eventually(() => lines.join('').includes('could not drain'));
    const stream = `${bucketTag(bucketOfAccount(account))}:ledger`;
    expect(await spender.redis.xlen(stream)).toBe(20);
    await operator.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    await operator.end();
    await untilAllKept();
    expect(lines.filter((line) => line.includes('could not drain'))).toHaveLength(1);
    await eventually(() => lines.join('').includes('drained again'));
    await service.stop();
  });

  test('heals a Redis that lost everything: no account has more than before', async () => {
    const { service, url } = await inProcess();
    await untilReady(url);
    const accounts = Array.from({ length: 40 }, () => randomUUID());
    const load = spender.keepCharging(accounts);
    await untilMoreKept(atLength(50, 300));
    await load.stop();
    await untilAllKept();
    const before = await Promise.all(accounts.map((account) => spender.used(account)));
    await spender.redis.flushall();
    // Each waits until its bucket is open again.
    const after = await Promise.all(accounts.map((account) => spender.used(account)));
    expect(after).toEqual(before);
    await Promise.all(accounts.map((account) => spender.charge(account, 2)));
    await untilAllKept();
    for (const account of accounts) expect(await spender.used(account)).toBe(await sumIn(account));
    await service.stop();
  });

  test('heals a bucket that counts lower than the ledger, in which numbers come again', async () => {
    const { service, url } = await inProcess();
    await untilReady(url);
    const [account = ''] = accountsIn(7, 1);
    for (let credits = 1; credits <= 10; credits++) await spender.charge(account, credits);
    await untilAllKept();
    // As a fail-over to a replica that lags behind leaves it: all at once.
    const tag = bucketTag(7);
    await spender.redis
      .multi()
      .hset(`${tag}:bucket`, 'seq', 6)
      .hset(`${tag}:credits:${account}`, 'used', 21, 'seq', 6)
      .exec();
    await eventually(async () => (await spender.used(account)) >= 55);
    await spender.charge(account, 4);
    await untilAllKept();
    expect(await spender.used(account)).toBe(59);
    await service.stop();
  });

  test('shares its work with others that run beside it', async () => {
    const workers = await Promise.all([inProcess(), inProcess(), inProcess()]);
    const accounts = Array.from({ length: 24 }, () => randomUUID());
    const load = spender.keepCharging(accounts);
    await untilMoreKept(atLength(50, 300));
    await spender.redis.hdel(`${bucketTag(bucketOfAccount(accounts[0] ?? ''))}:bucket`, 'open');
    await untilMoreKept(atLength(50, 300));
    await load.stop();
    await untilAllKept();
    for (const account of accounts) expect(await spender.used(account)).toBe(await sumIn(account));
    await Promise.all(workers.map(({ service }) => service.stop()));
  });
});

describe('the process', () => {
  test('killed again and again while it drains, keeps every charge once', async () => {
    const accounts = Array.from({ length: 24 }, () => randomUUID());
    const first = spawnService('worker', environment());
    await first.ready();
    const load = spender.keepCharging(accounts);
    await first.end('SIGKILL');
    for (const livesOnMs of [200, 0, 100, 400, 800].slice(0, atLength(1, 5))) {
      const worker = spawnService('worker', environment());
      await worker.ports;
      await untilMoreKept(1);
      await delay(livesOnMs);
      await worker.end('SIGKILL');
    }
    await load.stop();
    const last = spawnService('worker', environment());
    await untilAllKept();
    const totals = 'SELECT sum(calls) AS calls, sum(charged) AS charged FROM access.charge_total';
    const { rows } = await pool.query(totals);
    const credits = [...spender.charged.values()].reduce((sum, each) => sum + each, 0);
    expect(rows).toEqual([{ calls: String(spender.charged.size), charged: String(credits) }]);
    for (const account of accounts) expect(await spender.used(account)).toBe(await sumIn(account));
    expect(await last.end('SIGTERM')).toBe(0);
  });

  test('creates the partitions of charges of this month and the next three; ends with 0 on SIGTERM, in the midst of a load', async () => {
    const worker = spawnService('worker', environment());
    await worker.ready();
    const text =
      "SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'access.charge'::regclass";
    await eventually(async () => (await pool.query(text)).rows[0].count === 5);
    const load = spender.keepCharging(Array.from({ length: 24 }, () => randomUUID()));
    await untilMoreKept(100);
    expect(await worker.end('SIGTERM')).toBe(0);
    await load.stop();
    expect(worker.output()).toContain('"msg":"stopped"');
    expect(worker.output()).not.toContain('"level":"error"');
  });
});

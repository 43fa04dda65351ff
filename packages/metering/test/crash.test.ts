// Tests docs/spec/credits.md 10.10.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount, bucketTag } from '@vcds/credentials';
import { type CreditLedger, createLedgerSyncer, drainBucket } from '@vcds/metering';
import { createRedisLedger, type RedisClient } from '@vcds/metering/redis';
import { closeRedis, redisReady } from '@vcds/service-kit';
import {
  atLength,
  createTestRedisCluster,
  createTestRedisServer,
  type TestRedisServer,
} from '@vcds/test-kit';
import { audit, type LoadReport, playLoad } from './support/load.ts';
import { memoryStore, sum } from './support/memory-store.ts';
import { connectRedis } from './support/redis-client.ts';
import { requestOf } from './support/request.ts';
import { openAccount } from './support/stores.ts';

const LIMIT = 1_000_000_000;
const KILLS = atLength(1, 10);
/** Fewer than in production: a pass waits for an outage in each of them. */
const BUCKETS = 16;
/** `appendfsync everysec` puts off a write while the last is being flushed. */
const LOSS_MS_MAX = 2_000;

/** Plays 32 clients until stopped; resolves `after` once that many calls were charged. */
function playUntilStopped(credit: CreditLedger, account: string) {
  let stopped = false;
  let calls = 0;
  let wake: () => void = () => undefined;
  let wanted = Number.POSITIVE_INFINITY;
  const done = playLoad({
    ledgers: [credit.ledger],
    account,
    keyIds: ['key-1'],
    limit: LIMIT,
    clients: 32,
    ceilingMax: 100,
    goesOn: (_, { status }) => {
      if (status === 'held') calls += 1;
      if (calls >= wanted) wake();
      return !stopped;
    },
  });
  return {
    after: (more: number): Promise<void> => {
      wanted = calls + more;
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    stop: (): Promise<LoadReport> => {
      stopped = true;
      return done;
    },
  };
}

describe('a Redis of its own', () => {
  let server: TestRedisServer;
  let redis: RedisClient;
  let credit: CreditLedger;
  let offsetMs = 0;
  beforeAll(async () => {
    server = await createTestRedisServer({ durable: true });
    redis = await connectRedis(server.url);
    credit = createRedisLedger({
      redis,
      clockOffsetMs: () => offsetMs,
      buckets: BUCKETS,
    });
  });
  afterAll(async () => {
    await closeRedis(redis);
    await server.drop();
  });

  const used = async (account: string, limit = LIMIT): Promise<number> => {
    const answer = await credit.ledger.balance(account, limit);
    if (answer.status !== 'known') throw answer.cause;
    return answer.balance.used;
  };

  test('killed under load loses at most its last moment, and charges nothing twice', async () => {
    const account = await openAccount(credit);
    const kept = memoryStore(BUCKETS);
    const load = playUntilStopped(credit, account);
    const kills: { readonly fromMs: number; readonly untilMs: number }[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await load.after(atLength(500, 2_000));
      const fromMs = Date.now() - LOSS_MS_MAX;
      await server.kill();
      await server.restart();
      kills.push({ fromMs, untilMs: Date.now() });
    }
    await load.after(500);
    const report = await load.stop();
    expect(report.unavailable).toBe(0);
    // Drained charges would be in the store; here all are still in the stream.
    await drainBucket(credit.stream, kept, bucketOfAccount(account, BUCKETS));
    const { total, lost, ...faults } = audit(report, kept.of(account));
    expect(faults).toEqual({ doubled: 0, unknown: [], differing: [] });
    expect(await used(account)).toBe(total);
    // The client reads replies that were under way when Redis was killed a moment later.
    const early = lost.filter(({ atMs }) =>
      kills.every(({ fromMs, untilMs }) => atMs < fromMs || atMs > untilMs),
    );
    expect(early).toEqual([]);
  });

  test('that is down answers unavailable at no cost, and serves again by itself', async () => {
    // Flushed every second, a hold of the last moment might be lost.
    await redis.config('SET', 'appendfsync', 'always');
    const account = await openAccount(credit);
    const before = await credit.ledger.reserve(requestOf(account, { max: 5 }));
    await server.kill();
    const rejected = { status: 'unavailable', cause: expect.any(Error) };
    expect(await credit.ledger.reserve(requestOf(account, { max: 5 }))).toEqual(rejected);
    expect(await credit.ledger.balance(account, 500)).toEqual(rejected);
    await expect(credit.stream.read(0, 10)).rejects.toThrow('Redis does not answer.');
    await server.restart();
    await redisReady(redis);
    expect(before).toMatchObject({ status: 'held', balance: { held: 5 } });
    expect(await credit.ledger.balance(account, 500)).toMatchObject({
      balance: { used: 0, held: 5 },
    });
  });

  test('that lost everything rejects every call until it is healed from the ledger', async () => {
    const kept = memoryStore(BUCKETS);
    const syncer = createLedgerSyncer(credit.stream, kept);
    await syncer.pass();
    const accounts = Array.from({ length: 20 }, () => randomUUID());
    for (const [number, account] of accounts.entries()) {
      const asked = requestOf(account, { max: number + 1 });
      await credit.ledger.reserve(asked);
      await credit.ledger.settle(asked, number + 1);
    }
    expect((await syncer.pass()).committed).toBeGreaterThanOrEqual(20);
    await redis.flushall();
    for (const account of accounts) {
      const answer = await credit.ledger.reserve(requestOf(account, { max: 5 }));
      expect(answer.status).toBe('unavailable');
    }
    const pass = await syncer.pass();
    expect([pass.healed.length, pass.failed]).toEqual([BUCKETS, []]);
    for (const [number, account] of accounts.entries()) {
      expect(await used(account, 500)).toBe(number + 1);
    }
  });

  test('refills once at the month boundary under load, and debits nothing twice', async () => {
    const limit = 3_000;
    const boundaryMs = Date.parse('2030-03-01T00:00:00Z');
    offsetMs = boundaryMs - 60_000 - Date.now();
    const account = await openAccount(credit);
    const kept = memoryStore(BUCKETS);
    let crossed = false;
    const report = await playLoad({
      ledgers: [credit.ledger],
      account,
      keyIds: ['key-1', 'key-2'],
      limit,
      clients: 64,
      ceilingMax: 20,
      goesOn: (calls) => {
        // Under load, while nearly half of February's allowance is left.
        if (!crossed && calls > 3) {
          crossed = true;
          offsetMs = boundaryMs + 1_000 - Date.now();
        }
        return calls < 20;
      },
    });
    await drainBucket(credit.stream, kept, bucketOfAccount(account, BUCKETS));
    const { total, ...faults } = audit(report, kept.of(account));
    expect(faults).toEqual({ doubled: 0, unknown: [], differing: [], lost: [] });
    const of = (period: number) =>
      sum(
        kept
          .of(account)
          .filter((entry) => entry.period === period)
          .map(({ charged }) => charged),
      );
    expect(of(203002) + of(203003)).toBe(total);
    expect(of(203002)).toBeGreaterThan(0);
    expect(of(203002)).toBeLessThanOrEqual(limit);
    expect(of(203003)).toBeGreaterThan(0);
    expect(of(203003)).toBeLessThanOrEqual(limit);
    expect(await used(account, limit)).toBe(of(203003));
  });
});

// Both wait most of the time: for a lost connection bucket by bucket, for nodes to agree.
describe('side by side, each with servers of its own', () => {
  const toClose: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of toClose) await close();
  });

  test.concurrent('a Redis that cannot be reached fails a pass bucket by bucket, and the next one catches up', async () => {
    const server = await createTestRedisServer({ durable: true });
    const redis = await connectRedis(server.url);
    toClose.push(() => closeRedis(redis), server.drop);
    const { stream } = createRedisLedger({ redis, buckets: BUCKETS });
    const syncer = createLedgerSyncer(stream, memoryStore(BUCKETS));
    await syncer.pass();
    await server.kill();
    expect((await syncer.pass()).failed).toHaveLength(BUCKETS);
    await server.restart();
    await redisReady(redis);
    expect((await syncer.pass()).failed).toEqual([]);
  });

  test.concurrent('a Redis Cluster whose primary is killed serves on from the replica, and is healed of its loss', async () => {
    const cluster = await createTestRedisCluster({ nodeTimeoutMs: 2_000 });
    const redis = await connectRedis(cluster.url);
    toClose.push(() => closeRedis(redis), cluster.drop);
    const credit = createRedisLedger({ redis, buckets: BUCKETS });
    const kept = memoryStore(BUCKETS);
    const syncer = createLedgerSyncer(credit.stream, kept);
    const [primary] = cluster.nodes;
    if (primary === undefined) throw new Error('The cluster has no nodes.');
    // Slots 0 to 5,460 are the first primary's.
    const account = await accountIn(redis, credit, 0, 5_460);
    const load = playUntilStopped(credit, account);
    await load.after(atLength(300, 1_000));
    const syncedMs = Date.now();
    await syncer.pass();
    await load.after(100);
    await primary.kill();
    await load.after(atLength(300, 1_000));
    const report = await load.stop();
    await syncer.pass();
    const { total, lost, ...faults } = audit(report, kept.of(account));
    expect(faults).toEqual({ doubled: 0, unknown: [], differing: [] });
    // How far the replica lagged is the machine's affair; no pass loses what it has read.
    expect(lost.filter(({ atMs }) => atMs < syncedMs)).toEqual([]);
    const answer = await credit.ledger.balance(account, LIMIT);
    expect(answer).toMatchObject({ status: 'known', balance: { used: total } });
  });
});

async function accountIn(
  redis: RedisClient,
  credit: CreditLedger,
  first: number,
  last: number,
): Promise<string> {
  for (;;) {
    const account = await openAccount(credit);
    const tag = bucketTag(bucketOfAccount(account, BUCKETS));
    const slot = Number(await redis.cluster('KEYSLOT', tag));
    if (slot >= first && slot <= last) return account;
  }
}

// Tests docs/spec/credits.md 10.4.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import type { CreditLedger } from '@vcds/metering';
import { createRedisLedger, type RedisClient } from '@vcds/metering/redis';
import { closeRedis } from '@vcds/service-kit';
import { atLength, createTestRedis, createTestRedisCluster } from '@vcds/test-kit';
import { Cluster } from 'ioredis';
import { audit, playLoad } from './support/load.ts';
import { type LossyProxy, lossyProxy } from './support/lossy-proxy.ts';
import { connectRedis } from './support/redis-client.ts';
import { openAccount } from './support/stores.ts';

const LIMIT = 500;
const CLIENTS = atLength(70, 1_000);
const CONNECTIONS = 10;
const TIMES = { holdMs: 60_000, lateMs: 600_000, outcomeMs: 60_000, onceMs: 86_400_000 };

/** Redis as processes reach it over a network that loses replies, and as the test reaches it. */
interface Site {
  readonly direct: RedisClient;
  readonly lossy: readonly RedisClient[];
  readonly proxies: readonly LossyProxy[];
  close(): Promise<void>;
}

describe.each([
  ['Redis', openSingle],
  ['a Redis Cluster of six', openCluster],
])('many clients on a balance of 500, on %s', (_, open) => {
  let site: Site;
  let offsetMs = 0;
  let ledgers: CreditLedger[];
  let direct: CreditLedger;
  beforeAll(async () => {
    site = await open();
    const over = (redis: RedisClient) =>
      createRedisLedger({ redis, times: TIMES, clockOffsetMs: () => offsetMs });
    ledgers = site.lossy.map(over);
    direct = over(site.direct);
  });
  afterAll(() => site.close());

  test.each([
    ['with one key', 1],
    ['with 20 keys of one account', 20],
  ])(
    '%s never spend more, and the ledger says exactly what they spent',
    async (__, keys) => {
      const account = await openAccount(direct);
      const report = await playLoad({
        ledgers: ledgers.map(({ ledger }) => ledger),
        account,
        keyIds: Array.from({ length: keys }, (___, number) => `key-${number}`),
        limit: LIMIT,
        clients: CLIENTS,
        ceilingMax: 12,
        // Calls given up keep their hold: give them back now and then, by the clock.
        goesOn: (calls, { status }) => calls < 12 && status !== 'revoked',
      });
      const before = await direct.ledger.balance(account, LIMIT);
      if (before.status !== 'known') throw before.cause;
      expect(before.balance.used + before.balance.held).toBeLessThanOrEqual(LIMIT);

      offsetMs += TIMES.holdMs;
      const after = await direct.ledger.balance(account, LIMIT);
      if (after.status !== 'known') throw after.cause;
      const { entries } = await direct.stream.read(bucketOfAccount(account), 10_000);
      const { total, ...faults } = audit(report, entries);
      expect(faults).toEqual({ doubled: 0, unknown: [], differing: [], lost: [] });
      expect(after.balance).toMatchObject({ used: total, held: 0, remaining: LIMIT - total });
      expect(total).toBeLessThanOrEqual(LIMIT);
      // There was contention: most credits were spent, most calls rejected, replies lost.
      expect(total).toBeGreaterThan(LIMIT * 0.7);
      expect(report.rejected).toBeGreaterThan(CLIENTS);
      expect(site.proxies.reduce((sum, { dropped }) => sum + dropped, 0)).toBeGreaterThan(10);
    },
    120_000,
  );
});

async function openSingle(): Promise<Site> {
  const database = await createTestRedis();
  const direct = await connectRedis(database.url);
  const url = new URL(database.url);
  const proxy = await lossyProxy(Number(url.port), 10);
  url.port = String(proxy.port);
  const connecting = Array.from({ length: CONNECTIONS }, () => connectRedis(url.href));
  const lossy = await Promise.all(connecting);
  return {
    direct,
    lossy,
    proxies: [proxy],
    close: async () => {
      for (const client of lossy) client.disconnect();
      await closeRedis(direct);
      await proxy.close();
      await database.drop();
    },
  };
}

async function openCluster(): Promise<Site> {
  const cluster = await createTestRedisCluster();
  const direct = await connectRedis(cluster.url);
  const proxies = await Promise.all(cluster.nodes.map(({ port }) => lossyProxy(port, 20)));
  const natMap = Object.fromEntries(
    cluster.nodes.map(({ port }, node) => [
      `127.0.0.1:${port}`,
      { host: '127.0.0.1', port: proxies[node]?.port ?? 0 },
    ]),
  );
  const lossy = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => connectCluster(cluster.nodes, natMap)),
  );
  return {
    direct,
    lossy,
    proxies,
    close: async () => {
      for (const client of lossy) client.disconnect();
      await closeRedis(direct);
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await cluster.drop();
    },
  };
}

// As service-kit makes it, but through the proxies.
async function connectCluster(
  nodes: readonly { readonly port: number }[],
  natMap: Record<string, { host: string; port: number }>,
): Promise<RedisClient> {
  const client = new Cluster(
    nodes.map(({ port }) => ({ host: '127.0.0.1', port })),
    {
      natMap,
      enableOfflineQueue: false,
      redisOptions: {
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0,
        commandTimeout: 1_000,
      },
    },
  );
  client.on('error', () => undefined);
  await new Promise((resolve) => client.once('ready', resolve));
  return client;
}

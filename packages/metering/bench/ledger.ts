/**
 * The cost of holding and charging credits, compared with that of any Redis command: PING on the
 * same connection, in turns within the same run. And what the ledger takes of Redis' memory.
 *
 * Run with `npm run bench -- ledger`; `BENCH_TURNS` is the number of turns of half a second (20). The
 * quietest quarter of the turns, by PING, is shown apart: on a shared machine the rest measures
 * the neighbours.
 */
import { randomUUID } from 'node:crypto';
import { BUCKETS, bucketOfAccount } from '@vcds/credentials';
import type { CreditLedger } from '@vcds/metering';
import { createRedisLedger, type RedisClient } from '@vcds/metering/redis';
import { closeRedis, createLogger, createRedis, redisReady } from '@vcds/service-kit';
import { grouped, openTestServers, say, table } from '@vcds/test-kit/bench';
import { requestOf } from '../test/support/request.ts';
import { type Lap, lapOf, quietest, report, type Work } from './measure.ts';

const TURNS = Number(process.env.BENCH_TURNS ?? 20);
const TURN_MS = 500;
const ACCOUNTS = 1_000;
const LIMIT = 1_000_000_000;

const servers = await openTestServers();
const url = await servers.startRedisServer({ durable: true });
const logger = createLogger({ service: 'bench' });
const redis = createRedis({ url, name: 'bench', logger, commandTimeoutMs: 10_000 });
try {
  await redisReady(redis);
  const credit = createRedisLedger({ redis });
  for (let bucket = 0; bucket < BUCKETS; bucket++) await credit.stream.open(bucket, 0);
  const accounts = Array.from({ length: ACCOUNTS }, () => randomUUID());
  await latencies(redis, credit, accounts);
  await drained(credit, accounts);
  await memory(redis, credit);
} finally {
  await closeRedis(redis);
  await servers.close();
}

async function latencies(client: RedisClient, credit: CreditLedger, accounts: readonly string[]) {
  const works: readonly Work[] = [
    { name: 'PING', once: () => [() => client.ping()] },
    { name: 'reserve + settle, 1,000 accounts', once: () => pair(credit, anyOf(accounts)) },
    { name: 'reserve + settle, one account', once: () => pair(credit, accounts[0] ?? '') },
    { name: 'balance', once: () => [() => credit.ledger.balance(anyOf(accounts), LIMIT)] },
  ];
  const laps: Lap[] = [];
  for (const clients of [8, 64]) {
    for (let turn = 0; turn <= TURNS; turn++) {
      for (const work of works) {
        const lap = await lapOf(work, clients, TURN_MS, () => redisCpuMs(client));
        // The first turn warms up.
        if (turn > 0) laps.push({ ...lap, turn });
      }
    }
  }
  report('All turns', laps);
  report('The quietest quarter of the turns', quietest(laps, 'PING', Math.ceil(TURNS / 4)));
}

function pair({ ledger }: CreditLedger, account: string): (() => Promise<unknown>)[] {
  const op = randomUUID();
  const max = 25;
  return [
    async () => {
      const { status } = await ledger.reserve(requestOf(account, { op, max, limit: LIMIT }));
      if (status !== 'held') throw new Error(`reserve answered ${status}`);
    },
    async () => {
      const { status } = await ledger.settle({ account, op }, 13);
      if (status !== 'settled') throw new Error(`settle answered ${status}`);
    },
  ];
}

async function drained({ stream }: CreditLedger, accounts: readonly string[]): Promise<void> {
  const buckets = new Set(accounts.map((account) => bucketOfAccount(account)));
  const startedMs = performance.now();
  let entries = 0;
  for (const bucket of buckets) {
    for (;;) {
      const batch = await stream.read(bucket, 1_000);
      if (batch.entries.length === 0) break;
      await stream.acknowledge(bucket, batch);
      entries += batch.entries.length;
    }
  }
  const perSecond = (entries * 1000) / (performance.now() - startedMs);
  say(`\nRead and acknowledged ${entries} charges: ${grouped(perSecond)} a second`);
}

async function memory(client: RedisClient, credit: CreditLedger): Promise<void> {
  const count = 20_000;
  const accounts = Array.from({ length: count }, () => randomUUID());
  const each = async (work: (account: string) => Promise<unknown>): Promise<number> => {
    const before = await usedBytes(client);
    for (let start = 0; start < count; start += 500) {
      await Promise.all(accounts.slice(start, start + 500).map(work));
    }
    return ((await usedBytes(client)) - before) / count;
  };
  const account = await each((id) => credit.ledger.balance(id, LIMIT));
  const underWay = await each((id) =>
    credit.ledger.reserve(requestOf(id, { op: id, keyId: id, limit: LIMIT })),
  );
  const settled = await each((id) => credit.ledger.settle({ account: id, op: id }, 13));
  const rows = [
    ['an account', grouped(account)],
    ['a call under way', grouped(underWay)],
    ['a call charged, not drained or expired', grouped(underWay + settled)],
  ];
  say(`\n${table(['in Redis', 'bytes'], rows)}`);
}

async function usedBytes(client: RedisClient): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
}

async function redisCpuMs(client: RedisClient): Promise<number> {
  const info = await client.info('cpu');
  const user = Number(/used_cpu_user:([\d.]+)/.exec(info)?.[1]);
  const system = Number(/used_cpu_sys:([\d.]+)/.exec(info)?.[1]);
  return (user + system) * 1000;
}

function anyOf(accounts: readonly string[]): string {
  return accounts[Math.floor(Math.random() * accounts.length)] ?? '';
}

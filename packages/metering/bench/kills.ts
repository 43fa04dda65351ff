/**
 * Charges lost by a Redis that is killed under load: SIGKILL, 20 times, append-only file flushed every
 * second. Every charge reported to a client is compared with the ledger afterwards.
 *
 * Run with `npm run bench -- kills`; `BENCH_KILLS` is the number of kills.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { bucketOfAccount } from '@vcds/credentials';
import { drainBucket } from '@vcds/metering';
import { createRedisLedger } from '@vcds/metering/redis';
import { closeRedis, createLogger, createRedis, redisReady } from '@vcds/service-kit';
import { openTestServers } from '@vcds/test-kit/bench';
import { audit, playLoad } from '../test/support/load.ts';
import { memoryStore } from '../test/support/memory-store.ts';

const KILLS = Number(process.env.BENCH_KILLS ?? 20);
const BETWEEN_MS = 2_000;
const CLIENTS = 64;
const LIMIT = 1_000_000_000;
/** One call in twenty is given up: its hold must not outlast the bench. */
const TIMES = { holdMs: 5_000, lateMs: 60_000, outcomeMs: 60_000 };

const servers = await openTestServers();
const url = await servers.startRedisServer({ durable: true });
const logger = createLogger({ service: 'bench', level: 'silent' });
const redis = createRedis({ url, name: 'bench', logger });
try {
  await redisReady(redis);
  const { ledger, stream } = createRedisLedger({ redis, times: TIMES });
  const account = randomUUID();
  const bucket = bucketOfAccount(account);
  await stream.open(bucket, 0);
  let stopped = false;
  const playing = playLoad({
    ledgers: [ledger],
    account,
    keyIds: ['key-1'],
    limit: LIMIT,
    clients: CLIENTS,
    ceilingMax: 100,
    goesOn: () => !stopped,
  });
  const kills: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    await delay(BETWEEN_MS);
    kills.push(Date.now());
    await servers.killRedisServer(url);
    await servers.restartRedisServer(url);
  }
  await delay(BETWEEN_MS);
  stopped = true;
  const report = await playing;
  const kept = memoryStore();
  await drainBucket(stream, kept, bucket);
  const { total, doubled, unknown, differing, lost } = audit(report, kept.of(account));
  const balance = await ledger.balance(account, LIMIT);
  // The client reads replies that were under way when Redis was killed a moment later.
  const ages = lost.map(({ atMs }) => Math.min(...kills.map((at) => Math.abs(at - atMs))));
  const used = balance.status === 'known' ? balance.balance.used : Number.NaN;
  const lines = [
    `${KILLS} kills, ${report.acknowledged.size} settlements acknowledged`,
    `${lost.length} lost, at most ${Math.max(0, ...ages)} ms from a kill`,
    `${doubled} charged twice, ${differing.length} charged differently from the report`,
    `${unknown.length} that no client requested; used ${used}, ledger ${total}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  await closeRedis(redis);
  await servers.close();
}

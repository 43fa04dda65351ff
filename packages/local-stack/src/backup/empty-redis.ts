import { closeRedis, createLogger, createRedis, redisReady } from '@vcds/service-kit';
import { Cluster, type Redis } from 'ioredis';
import { reported } from '../stack/progress.ts';
import { assertReplaced, type Restore } from './restore-options.ts';

const REDIS_MS_MAX = 10_000;

/** The Redis nodes with data of their own. @throws StackError if there is data to replace. */
export async function checkRedis(restore: Restore, url: string): Promise<void> {
  await withNodes(url, async (nodes) => {
    const sizes = await Promise.all(nodes.map((node) => node.dbsize()));
    assertReplaced(
      restore,
      sizes.some((size) => size > 0),
      'The Redis of REDIS_URL',
    );
  });
}

/**
 * Before the database changes: at no moment, also of a restore that fails, are there balances of a later
 * time than the ledger. Those of an empty Redis are computed from the ledger.
 */
export async function emptyRedis({ progress }: Restore, url: string): Promise<void> {
  await reported(progress, 'Emptying Redis', () =>
    withNodes(url, async (nodes) => {
      for (const node of nodes) await node.flushdb();
    }),
  );
}

async function withNodes(
  url: string,
  work: (nodes: readonly Redis[]) => Promise<void>,
): Promise<void> {
  const logger = createLogger({ service: 'restore', level: 'silent' });
  const redis = createRedis({ url, name: 'restore', logger });
  try {
    await redisReady(redis, REDIS_MS_MAX);
    await work(redis instanceof Cluster ? redis.nodes('master') : [redis]);
  } finally {
    await closeRedis(redis);
  }
}

import {
  closeRedis,
  createLogger,
  createRedis,
  emptyRedis as emptyClient,
  primariesOf,
  type RedisClient,
  redisReady,
} from '@vcds/service-kit';
import { reported } from '../stack/progress.ts';
import { assertReplaced, type Restore } from './restore-options.ts';

const REDIS_MS_MAX = 10_000;

/** The Redis nodes with data of their own. @throws StackError if there is data to replace. */
export async function checkRedis(restore: Restore, url: string): Promise<void> {
  await withRedis(url, async (redis) => {
    const sizes = await Promise.all(primariesOf(redis).map((node) => node.dbsize()));
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
  await reported(progress, 'Emptying Redis', () => withRedis(url, emptyClient));
}

async function withRedis(url: string, work: (redis: RedisClient) => Promise<void>): Promise<void> {
  const logger = createLogger({ service: 'restore', level: 'silent' });
  const redis = createRedis({ url, name: 'restore', logger });
  try {
    await redisReady(redis, REDIS_MS_MAX);
    await work(redis);
  } finally {
    await closeRedis(redis);
  }
}

import type { Clock, RedisClient } from '@vcds/service-kit';
import { Cluster, type Redis } from 'ioredis';
import type { History } from './history.ts';
import { createKeyStore } from './key-store.ts';
import { reconcileBuckets } from './reconcile.ts';

// Everything of accounts and keys that this service stores in Redis, without balances.
const PATTERNS = ['owner:*', 'account:*', 'keys:*', 'revoked:*', 'position'].map(
  (name) => `{m:??}:${name}`,
);
const SCAN_COUNT = 1_000;

export interface Rebuilt {
  readonly accounts: number;
  readonly keys: number;
}

/**
 * Replaces the accounts and keys in Redis by those of the journal. Meanwhile a running access-api
 * finds buckets behind and reconciles them itself, so that it rejects no valid key.
 */
export async function rebuild(
  redis: RedisClient,
  history: History,
  clock: Clock,
  onProgress: (bucketsDone: number) => void = () => undefined,
): Promise<Rebuilt> {
  const store = createKeyStore(redis, clock);
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const node of nodes) for (const pattern of PATTERNS) await unlinkAll(node, pattern);
  const positions = await history.positions();
  const buckets = positions.map((to, bucket) => ({ bucket, from: 0, to }));
  let rebuilt: Rebuilt = { accounts: 0, keys: 0 };
  let bucketsDone = 0;
  await reconcileBuckets(history, store, buckets, ({ accounts, keys }) => {
    rebuilt = { accounts: rebuilt.accounts + accounts, keys: rebuilt.keys + keys };
    bucketsDone += 1;
    onProgress(bucketsDone);
  });
  return rebuilt;
}

async function unlinkAll(node: Redis, pattern: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, found] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
    // One key per command: a command may not contain keys of different slots.
    await Promise.all(found.map((key) => node.unlink(key)));
    cursor = next;
  } while (cursor !== '0');
}

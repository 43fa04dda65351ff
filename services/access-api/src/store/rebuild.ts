import { BUCKETS } from '@vcds/credentials';
import type { Clock, RedisClient } from '@vcds/service-kit';
import { Cluster, type Redis } from 'ioredis';
import type { History } from '../journal/history.ts';
import { createKeyStore } from './key-store.ts';
import { reconcileBucket } from './reconcile.ts';

// Everything of accounts and keys that this service keeps in Redis; balances are not among it.
const OURS = ['owner:*', 'account:*', 'keys:*', 'revoked:*', 'position'].map(
  (name) => `{m:??}:${name}`,
);
const SCAN_COUNT = 1_000;

export interface Rebuilt {
  readonly accounts: number;
  readonly keys: number;
}

/**
 * Makes Redis hold exactly what the journal holds, whatever it held before. While it runs, a
 * running access-api finds buckets behind and brings them up itself rather than deny a valid key.
 */
export async function rebuild(
  redis: RedisClient,
  history: History,
  clock: Clock,
  onProgress: (bucketsDone: number) => void = () => undefined,
): Promise<Rebuilt> {
  const store = createKeyStore(redis, clock);
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const node of nodes) for (const pattern of OURS) await forget(node, pattern);
  let rebuilt: Rebuilt = { accounts: 0, keys: 0 };
  const positions = await history.positions();
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const to = positions[bucket] ?? 0;
    const done = await reconcileBucket(history, store, bucket, { from: 0, to });
    rebuilt = { accounts: rebuilt.accounts + done.accounts, keys: rebuilt.keys + done.keys };
    onProgress(bucket + 1);
  }
  return rebuilt;
}

async function forget(node: Redis, pattern: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, found] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
    // One at a time: keys of different slots may not share a command.
    await Promise.all(found.map((key) => node.unlink(key)));
    cursor = next;
  } while (cursor !== '0');
}

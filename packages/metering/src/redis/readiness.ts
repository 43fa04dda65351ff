import { BUCKETS } from '@vcds/credentials';
import { closedBucket } from '../ledger/ledger-errors.ts';
import type { RedisClient } from './define-script.ts';
import { bucketKeys } from './ledger-keys.ts';

const PROBE_KEPT_MS = 60_000;
/** Every sixteenth of 256 buckets: in a Cluster some are on each node. */
const SAMPLE_STEP = 16;

/**
 * Resolves when a call could be metered: a bucket of the ledger takes writes and is open. Of a
 * Cluster one node is enough, because accounts on the others can still be served.
 *
 * @throws the error of Redis (out of memory, a read-only replica), or an Error if the buckets are
 *   closed because the worker has not restored them yet.
 */
export async function assertLedgerServes(redis: RedisClient, buckets = BUCKETS): Promise<void> {
  const sample = Array.from({ length: buckets }, (_, n) => n).filter((n) => n % SAMPLE_STEP === 0);
  const outcomes = await Promise.allSettled(sample.map((bucket) => assertServes(redis, bucket)));
  if (outcomes.some(({ status }) => status === 'fulfilled')) return;
  const [first] = outcomes;
  if (first?.status === 'rejected') throw first.reason;
}

async function assertServes(redis: RedisClient, number: number): Promise<void> {
  const { bucket, probe } = bucketKeys(number);
  const [, open] = await Promise.all([
    redis.set(probe, '1', 'PX', PROBE_KEPT_MS),
    redis.hexists(bucket, 'open'),
  ]);
  if (open === 0) throw closedBucket();
}

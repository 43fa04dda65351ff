import { drainBucket } from './drain.ts';
import type { LedgerStore } from './ledger-store.ts';
import {
  type AccountTotals,
  type HealStep,
  type LedgerStream,
  RESTORE_ACCOUNTS_MAX,
} from './ledger-stream.ts';

/** A bucket that running calls keep settling in is drained again at most this often. */
const ROUNDS_MAX = 100;
/** One restore ends with the account with which it has this many keys. */
const RESTORE_KEYS = 10_000;

/**
 * Heals a bucket: closes it to reservations, drains it to the last entry, raises every account to
 * the larger of stream and ledger, and opens it. After a crash on the way the bucket is closed, and
 * is healed again.
 *
 * @throws Error when charges keep arriving for a hundred rounds.
 */
export async function healBucket(
  stream: LedgerStream,
  store: LedgerStore,
  bucket: number,
): Promise<void> {
  await stream.close(bucket);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await drainBucket(stream, store, bucket);
    if ((await restoreAll(stream, store, bucket)) === 'moved') continue;
    const bucketSeq = await store.bucketSeq(bucket);
    if ((await stream.open(bucket, bucketSeq)) === 'done') return;
  }
  throw new Error(`Bucket ${bucket} keeps being charged while it is healed.`);
}

async function restoreAll(
  stream: LedgerStream,
  store: LedgerStore,
  bucket: number,
): Promise<HealStep> {
  let chunk: AccountTotals[] = [];
  let keys = 0;
  for await (const totals of store.totals(bucket)) {
    chunk.push(totals);
    keys += totals.keys.length;
    if (chunk.length < RESTORE_ACCOUNTS_MAX && keys < RESTORE_KEYS) continue;
    if ((await stream.restore(bucket, chunk)) === 'moved') return 'moved';
    chunk = [];
    keys = 0;
  }
  return chunk.length === 0 ? 'done' : stream.restore(bucket, chunk);
}

import { drainBucket } from './drain.ts';
import type { LedgerStore } from './ledger-store.ts';
import {
  type AccountTotals,
  type HealStep,
  type LedgerStream,
  RESTORE_ACCOUNTS_MAX,
} from './ledger-stream.ts';

/** A bucket whose calls under way keep settling is drained again this often, then given up. */
const ROUNDS_MAX = 100;

/**
 * Makes a bucket whole and opens it: closed to reservations, drained to the last entry, every
 * account raised to the larger of stream and ledger, opened. A new installation's empty ledger
 * just opens. A crash on the way leaves the bucket closed, to be healed again.
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
  for await (const totals of store.totals(bucket)) {
    chunk.push(totals);
    if (chunk.length < RESTORE_ACCOUNTS_MAX) continue;
    if ((await stream.restore(bucket, chunk)) === 'moved') return 'moved';
    chunk = [];
  }
  return chunk.length === 0 ? 'done' : stream.restore(bucket, chunk);
}

import type { LedgerStore } from './ledger-store.ts';
import type { BucketStanding, LedgerStream } from './ledger-stream.ts';

/** Entries committed in one transaction. */
const DRAIN_BATCH = 1_000;

/** The result of draining a bucket. */
export interface Drained {
  /** Entries that were new to the ledger. */
  readonly committed: number;
  /** The stream has lost charges that the ledger has: the bucket must be healed. */
  readonly isBehind: boolean;
  readonly standing: BucketStanding;
}

/**
 * Commits what waits in a bucket, then acknowledges it: an entry is dropped only once it is kept
 * for good, and one that is drained twice counts once. Several may drain the same bucket.
 *
 * Also finds out whether the stream fell behind the ledger (a crash loses its last moment): it
 * then counts lower than the ledger, or gives new charges numbers the ledger has already seen.
 */
export async function drainBucket(
  stream: LedgerStream,
  store: LedgerStore,
  bucket: number,
): Promise<Drained> {
  let highest = await store.bucketSeq(bucket);
  let committed = 0;
  let isBehind = false;
  for (;;) {
    const batch = await stream.read(bucket, DRAIN_BATCH);
    if (batch.entries.length === 0) break;
    const fresh = await store.commit(bucket, batch.entries);
    await stream.acknowledge(bucket, batch);
    committed += fresh.length;
    isBehind ||= fresh.some(({ bucketSeq }) => bucketSeq <= highest);
    highest = Math.max(highest, ...fresh.map(({ bucketSeq }) => bucketSeq));
    if (batch.entries.length < DRAIN_BATCH) break;
  }
  const standing = await stream.standing(bucket);
  return { committed, isBehind: isBehind || standing.bucketSeq < highest, standing };
}

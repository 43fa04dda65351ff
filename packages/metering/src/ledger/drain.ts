import type { LedgerStore } from './ledger-store.ts';
import type { BucketStanding, LedgerStream } from './ledger-stream.ts';

/** Entries committed in one transaction. */
const DRAIN_BATCH = 1_000;

/** The result of draining a bucket. */
export interface Drained {
  /** Entries that were new to the ledger. */
  readonly committed: number;
  /** The stream has lost charges that the ledger has: the bucket is closed and must be healed. */
  readonly isBehind: boolean;
  readonly standing: BucketStanding;
}

/**
 * Commits the entries of a bucket's stream, then acknowledges them: an entry is deleted only once
 * it is committed, and one that is drained twice counts once. Several workers may drain one bucket.
 *
 * Also detects a stream that is behind the ledger, after a crash lost its last moment: it counts
 * lower than the ledger, or assigns to new charges numbers that the ledger already has. Only the
 * first commit of such charges shows it, so the bucket is closed before they are acknowledged:
 * a syncer heals closed buckets, also if this process ends before it can. `onBehind` is called before
 * that, for a stream that does not respond.
 */
export async function drainBucket(
  stream: LedgerStream,
  store: LedgerStore,
  bucket: number,
  onBehind: () => void = () => undefined,
): Promise<Drained> {
  let highest = await store.bucketSeq(bucket);
  let committed = 0;
  let isBehind = false;
  for (;;) {
    const batch = await stream.read(bucket, DRAIN_BATCH);
    if (batch.entries.length === 0) break;
    const fresh = await store.commit(bucket, batch.entries);
    if (fresh.some(({ bucketSeq }) => bucketSeq <= highest)) {
      isBehind = true;
      onBehind();
      await stream.close(bucket);
    }
    await stream.acknowledge(bucket, batch);
    committed += fresh.length;
    highest = Math.max(highest, ...fresh.map(({ bucketSeq }) => bucketSeq));
    if (batch.entries.length < DRAIN_BATCH) break;
  }
  const standing = await stream.standing(bucket);
  return { committed, isBehind: isBehind || standing.bucketSeq < highest, standing };
}

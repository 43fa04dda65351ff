import { drainBucket } from './drain.ts';
import { healBucket } from './heal.ts';
import type { LedgerStore } from './ledger-store.ts';
import type { BucketStanding, LedgerStream } from './ledger-stream.ts';

/** Buckets looked after at the same time. */
const CONCURRENCY = 8;

/** The result of one pass over all buckets. */
export interface LedgerPass {
  /** Charges that were new to the ledger. */
  readonly committed: number;
  /** Buckets that were closed or behind and are open now. */
  readonly healed: readonly number[];
  /** Buckets that could not be looked after; the next pass tries again. */
  readonly failed: readonly { readonly bucket: number; readonly error: unknown }[];
}

/** Drains and heals all buckets, pass by pass. */
export type LedgerSyncer = ReturnType<typeof createLedgerSyncer>;

/** The part of the worker that is not about PostgreSQL: any number of them may run. */
export function createLedgerSyncer(stream: LedgerStream, store: LedgerStore) {
  const seen = new Map<number, BucketStanding>();
  /** Buckets that are behind and not healed yet. */
  const behind = new Set<number>();

  // True when the bucket had to be healed.
  const syncBucket = async (bucket: number): Promise<{ committed: number; healed: boolean }> => {
    const standing = await stream.standing(bucket);
    if (standing.isOpen && isAsBefore(standing, seen.get(bucket))) {
      return { committed: 0, healed: false };
    }
    const drained = await drainBucket(stream, store, bucket, () => behind.add(bucket));
    const healed = drained.isBehind || behind.has(bucket) || !drained.standing.isOpen;
    if (healed) await healBucket(stream, store, bucket);
    behind.delete(bucket);
    seen.set(bucket, healed ? await stream.standing(bucket) : drained.standing);
    return { committed: drained.committed, healed };
  };

  return {
    /** One pass. A worker runs it about once a second; an idle bucket costs one round trip. */
    pass: async (): Promise<LedgerPass> => {
      const healed: number[] = [];
      const failed: { bucket: number; error: unknown }[] = [];
      let committed = 0;
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < stream.buckets) {
          const bucket = next++;
          try {
            const found = await syncBucket(bucket);
            committed += found.committed;
            if (found.healed) healed.push(bucket);
          } catch (error) {
            seen.delete(bucket);
            failed.push({ bucket, error });
          }
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
      return { committed, healed, failed };
    },
  };
}

function isAsBefore(now: BucketStanding, before: BucketStanding | undefined): boolean {
  return now.pending === 0 && now.bucketSeq === before?.bucketSeq;
}

import { assertRestore } from '../../src/ledger/bounds.ts';
import type { LedgerStream } from '../../src/ledger/ledger-stream.ts';
import { restored } from './account-state.ts';
import type { MemoryAccount, MemoryBucket } from './memory-ledger.ts';

/** The drained side of the memory adapter. */
export function memoryStream(
  buckets: number,
  bucketAt: (number: number) => MemoryBucket,
  accountIn: (bucket: MemoryBucket, account: string) => MemoryAccount,
): LedgerStream {
  return {
    buckets,
    read: async (bucket, max) => {
      const entries = bucketAt(bucket).entries.slice(0, max);
      return { entries, receipt: entries.map(({ bucketSeq }) => String(bucketSeq)) };
    },
    acknowledge: async (bucket, { receipt }) => {
      const acknowledged = new Set(receipt);
      const from = bucketAt(bucket);
      from.entries = from.entries.filter((entry) => !acknowledged.has(String(entry.bucketSeq)));
    },
    standing: async (bucket) => {
      const { isOpen, bucketSeq, entries } = bucketAt(bucket);
      return { isOpen, bucketSeq, pending: entries.length };
    },
    close: async (bucket) => {
      bucketAt(bucket).isOpen = false;
    },
    restore: async (number, totals) => {
      assertRestore(number, totals, buckets);
      const bucket = bucketAt(number);
      if (bucket.entries.length > 0) return 'moved';
      for (const total of totals) {
        const entry = accountIn(bucket, total.account);
        entry.state = restored(entry.state, total);
      }
      return 'done';
    },
    open: async (number, bucketSeq) => {
      const bucket = bucketAt(number);
      if (bucket.entries.length > 0) return 'moved';
      bucket.isOpen = true;
      bucket.bucketSeq = Math.max(bucket.bucketSeq, bucketSeq);
      return 'done';
    },
  };
}

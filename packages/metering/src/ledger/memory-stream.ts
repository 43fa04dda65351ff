import { bucketOfAccount } from '@vcds/credentials';
import { restored } from './account-state.ts';
import { type AccountTotals, type LedgerStream, RESTORE_ACCOUNTS_MAX } from './ledger-stream.ts';
import type { MemoryAccount, MemoryBucket } from './memory-ledger.ts';

/** The drained side of the memory adapter. */
export function memoryStream(
  bucketAt: (number: number) => MemoryBucket,
  accountIn: (bucket: MemoryBucket, account: string) => MemoryAccount,
): LedgerStream {
  return {
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
      assertRestore(number, totals);
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

/** @throws RangeError for more than 500 accounts, or accounts of another bucket. */
export function assertRestore(bucket: number, totals: readonly AccountTotals[]): void {
  if (totals.length > RESTORE_ACCOUNTS_MAX) {
    throw new RangeError(`At most ${RESTORE_ACCOUNTS_MAX} accounts are restored at once.`);
  }
  for (const { account } of totals) {
    if (bucketOfAccount(account) !== bucket) {
      throw new RangeError(`Account ${account} is not in bucket ${bucket}.`);
    }
  }
}

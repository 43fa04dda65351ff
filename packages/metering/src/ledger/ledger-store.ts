import type { AccountTotals, LedgerEntry } from './ledger-stream.ts';

/** The permanent ledger, as the port of the worker that drains into it. */
export interface LedgerStore {
  /**
   * Commits entries in one transaction; one whose `op` is there already is left alone. Resolves
   * with the entries that were new.
   */
  commit(bucket: number, entries: readonly LedgerEntry[]): Promise<readonly LedgerEntry[]>;
  /** The highest `bucketSeq` of a bucket; 0 for none. */
  bucketSeq(bucket: number): Promise<number>;
  /** The totals of every account in a bucket that ever had a charge or a purchase. */
  totals(bucket: number): AsyncIterable<AccountTotals>;
}

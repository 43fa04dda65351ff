import { BUCKETS, bucketOfAccount } from '@vcds/credentials';
import type { AccountTotals, LedgerEntry, LedgerStore } from '@vcds/metering';

/** A permanent ledger in memory, with queries for tests. */
export interface MemoryStore extends LedgerStore {
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  readonly purchases: Map<string, number>;
  of(account: string): LedgerEntry[];
}

/** The permanent ledger over a map, unique by op as the table is. */
export function memoryStore(buckets = BUCKETS): MemoryStore {
  const entries = new Map<string, LedgerEntry>();
  const purchases = new Map<string, number>();
  const of = (account: string) => [...entries.values()].filter((e) => e.account === account);
  return {
    entries,
    purchases,
    of,
    commit: async (_, batch) => {
      const fresh = batch.filter(({ op }) => !entries.has(op));
      for (const entry of fresh) entries.set(entry.op, entry);
      return fresh;
    },
    bucketSeq: async (bucket) =>
      Math.max(
        0,
        ...[...entries.values()]
          .filter(({ account }) => bucketOfAccount(account, buckets) === bucket)
          .map(({ bucketSeq }) => bucketSeq),
      ),
    totals: async function* (bucket) {
      const accounts = new Set([...entries.values()].map(({ account }) => account));
      for (const account of new Set([...accounts, ...purchases.keys()])) {
        if (bucketOfAccount(account, buckets) !== bucket) continue;
        yield totalsOf(account, of(account), purchases.get(account) ?? 0);
      }
    },
  };
}

function totalsOf(account: string, charges: LedgerEntry[], purchased: number): AccountTotals {
  const period = Math.max(0, ...charges.map((entry) => entry.period));
  const month = charges.filter((entry) => entry.period === period);
  return {
    account,
    period,
    used: sum(month.map((entry) => entry.charged - entry.purchased)),
    spent: sum(charges.map((entry) => entry.purchased)),
    seq: Math.max(0, ...charges.map((entry) => entry.seq)),
    purchased,
    keys: [...new Set(month.map(({ keyId }) => keyId))].map((keyId) => ({
      keyId,
      used: sum(month.filter((entry) => entry.keyId === keyId).map((entry) => entry.charged)),
    })),
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

import type { Balance } from '@vcds/metering';
import type { Clock } from '@vcds/service-kit';

/** A balance older than this is not reported any more. */
export const RECENT_MS_MAX = 60_000;
const ACCOUNTS_MAX = 10_000;

/** The balance of each account as the ledger last reported it to this process. */
export interface RecentBalances {
  remember(accountId: string, balance: Balance): void;
  /**
   * The last balance, 60 s old at most and of the current month. While the ledger cannot be reached
   * nothing is charged, so only charges of other processes just before can be missing from it.
   */
  find(accountId: string): Balance | undefined;
}

/** Remembers 10,000 accounts; the one updated the longest ago makes room. */
export function createRecentBalances(clock: Clock): RecentBalances {
  const known = new Map<string, { readonly balance: Balance; readonly atMs: number }>();
  return {
    remember: (accountId, balance) => {
      known.delete(accountId);
      known.set(accountId, { balance, atMs: clock.monotonicMs() });
      if (known.size <= ACCOUNTS_MAX) return;
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    },
    find: (accountId) => {
      const entry = known.get(accountId);
      if (entry === undefined || clock.monotonicMs() - entry.atMs > RECENT_MS_MAX) return undefined;
      return clock.wallMs() < entry.balance.resetAt.getTime() ? entry.balance : undefined;
    },
  };
}

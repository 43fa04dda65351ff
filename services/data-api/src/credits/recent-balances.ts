import type { Balance } from '@vcds/metering';
import type { Clock } from '@vcds/service-kit';

/** Older balances are not reported. */
const RECENT_MS_MAX = 60_000;
const ACCOUNTS_MAX = 10_000;

export type RecentBalances = ReturnType<typeof createRecentBalances>;

/**
 * Stores the last balance that this process read from the ledger, of 10,000 accounts; evicts the
 * least recently updated one.
 */
export function createRecentBalances(clock: Clock) {
  const stored = new Map<string, { readonly balance: Balance; readonly atMs: number }>();
  return {
    store: (accountId: string, balance: Balance): void => {
      stored.delete(accountId);
      stored.set(accountId, { balance, atMs: clock.monotonicMs() });
      if (stored.size <= ACCOUNTS_MAX) return;
      const [oldest] = stored.keys();
      if (oldest !== undefined) stored.delete(oldest);
    },
    /**
     * The last balance, at most 60 s old and of the current month. An unreachable ledger charges
     * nothing, so at most the last charges of other processes are missing.
     */
    find: (accountId: string): Balance | undefined => {
      const entry = stored.get(accountId);
      if (entry === undefined || clock.monotonicMs() - entry.atMs > RECENT_MS_MAX) return undefined;
      return clock.wallMs() < entry.balance.resetAt.getTime() ? entry.balance : undefined;
    },
  };
}

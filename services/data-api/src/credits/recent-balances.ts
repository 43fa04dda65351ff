import type { Balance } from '@vcds/metering';
import type { Clock } from '@vcds/service-kit';

/** Older balances are not used. */
const RECENT_MS_MAX = 60_000;
/** The part of a balance that calls without a hold may cost together. */
const POSTPAID_SHARE = 1 / 8;
const ACCOUNTS_MAX = 10_000;

interface Entry {
  balance: Balance;
  atMs: number;
  /** The maximum price of the running postpaid calls. */
  postpaid: number;
}

/** A running call that holds no credits. */
export interface Postpaid {
  /** The last balance. */
  readonly balance: Balance;
  /** Call it once, before the charge. */
  end(): void;
}

export type RecentBalances = ReturnType<typeof createRecentBalances>;

/**
 * Stores the last balance that this process read from the ledger, of 10,000 accounts; evicts the
 * least recently updated one.
 */
export function createRecentBalances(clock: Clock) {
  const stored = new Map<string, Entry>();
  let isLedgerAvailable = true;

  const recent = (accountId: string): Entry | undefined => {
    const entry = stored.get(accountId);
    if (entry === undefined || clock.monotonicMs() - entry.atMs > RECENT_MS_MAX) return undefined;
    return clock.wallMs() < entry.balance.resetAt.getTime() ? entry : undefined;
  };

  return {
    store: (accountId: string, balance: Balance): void => {
      const { postpaid = 0 } = stored.get(accountId) ?? {};
      stored.delete(accountId);
      stored.set(accountId, { balance, atMs: clock.monotonicMs(), postpaid });
      if (stored.size <= ACCOUNTS_MAX) return;
      const [oldest] = stored.keys();
      if (oldest !== undefined) stored.delete(oldest);
    },
    /**
     * The last balance, at most 60 s old and of the current month. An unreachable ledger charges
     * nothing, so at most the last charges of other processes are missing.
     */
    find: (accountId: string): Balance | undefined => recent(accountId)?.balance,
    /**
     * Begins a call that is charged when its response is ready. Undefined if the call must hold its
     * credits: no recent balance is known, it is less than eight times the maximum price of the running
     * postpaid calls of the account and of this one, or the ledger was unavailable. So an account
     * without credits is rejected before its call runs, except for few calls after other processes
     * have used the balance.
     */
    beginPostpaid: (accountId: string, creditsMax: number): Postpaid | undefined => {
      const entry = isLedgerAvailable ? recent(accountId) : undefined;
      if (entry === undefined) return undefined;
      const { balance, postpaid } = entry;
      if (postpaid + creditsMax > balance.remaining * POSTPAID_SHARE) return undefined;
      entry.postpaid += creditsMax;
      return {
        balance,
        end: () => {
          const current = stored.get(accountId);
          if (current !== undefined) current.postpaid = Math.max(0, current.postpaid - creditsMax);
        },
      };
    },
    /** All calls hold their credits until a hold or a charge succeeds. */
    ledgerUnavailable: (): void => {
      isLedgerAvailable = false;
    },
    /**
     * The ledger has accepted a hold or a charge. A balance does not show that: Redis replies to reads
     * while it rejects writes. Nor does a settlement: Redis makes it without free memory.
     */
    ledgerAvailable: (): void => {
      isLedgerAvailable = true;
    },
  };
}

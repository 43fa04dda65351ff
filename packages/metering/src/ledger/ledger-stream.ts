import type { Period } from './month.ts';

/** One charge, as it is stored permanently. Unique by `op`. */
export interface LedgerEntry {
  readonly op: string;
  readonly account: string;
  readonly keyId: string;
  /** The endpoint's path template. */
  readonly endpoint: string;
  /** The `X-Request-Id` of the response. Not unique: a caller may send it with several calls. */
  readonly requestId: string;
  /** The month whose allowance it was charged to. */
  readonly period: Period;
  /** Credits charged, 1 or more. */
  readonly charged: number;
  /** How many of those came out of purchased credits. */
  readonly purchased: number;
  /** Counts the charges of the account: 1, 2, 3… */
  readonly seq: number;
  /** Counts the charges of the bucket: 1, 2, 3… */
  readonly bucketSeq: number;
  readonly chargedAt: Date;
}

/** Entries in the order of their charges, and the receipt that acknowledges them. */
export interface LedgerBatch {
  readonly entries: readonly LedgerEntry[];
  /** Opaque. */
  readonly receipt: readonly string[];
}

/** The totals of one account in the permanent store. */
export interface AccountTotals {
  readonly account: string;
  /** The account's newest month with a charge; 0 when it never had one. */
  readonly period: Period;
  /** Credits of that month's allowance used: charged less purchased. */
  readonly used: number;
  /** Purchased credits used, ever. */
  readonly spent: number;
  /** The highest `seq`. */
  readonly seq: number;
  /** Credits it ever purchased. */
  readonly purchased: number;
  /** Credits that each key was charged in that month, purchased ones included. */
  readonly keys: readonly { readonly keyId: string; readonly used: number }[];
}

/** The state of a bucket. */
export interface BucketStanding {
  /** Whether it accepts reservations. A bucket that lost all data is closed. */
  readonly isOpen: boolean;
  /** How many charges the bucket has ever had. */
  readonly bucketSeq: number;
  /** Charges that wait to be drained. */
  readonly pending: number;
}

/** The result of a step of healing: `moved` if charges arrived meanwhile and must be drained. */
export type HealStep = 'done' | 'moved';

/** The most accounts one `restore` takes. */
export const RESTORE_ACCOUNTS_MAX = 500;

/**
 * The port of the worker that drains charges into PostgreSQL and heals the buckets from there.
 * Every charge stays in its bucket until acknowledged. Methods reject if the store does not
 * respond; all may be repeated.
 */
export interface LedgerStream {
  /** Buckets are numbered from 0 to this, exclusive. */
  readonly buckets: number;
  /** The oldest entries not acknowledged, at most `max`. Reading changes nothing. */
  read(bucket: number, max: number): Promise<LedgerBatch>;
  /** Deletes the entries of a batch; to be called once they are committed elsewhere. */
  acknowledge(bucket: number, batch: LedgerBatch): Promise<void>;
  standing(bucket: number): Promise<BucketStanding>;
  /**
   * From now on reservations in the bucket get `unavailable`; running calls still settle, and repeated
   * ones get their first result.
   */
  close(bucket: number): Promise<void>;
  /**
   * Raises accounts of a closed, drained bucket to what the ledger says they used; lowers none.
   *
   * @throws RangeError for more than 500 accounts, or accounts of another bucket.
   */
  restore(bucket: number, totals: readonly AccountTotals[]): Promise<HealStep>;
  /** Opens a drained bucket, counting on from at least `bucketSeq`. */
  open(bucket: number, bucketSeq: number): Promise<HealStep>;
}

/** Changes that access-api writes to the ledger after it has committed them to its journal. */
export interface LedgerAccounts {
  /** Rejects the key from the next reservation on. */
  revokeKey(account: string, keyId: string): Promise<void>;
  /** All credits the account ever purchased. Idempotent; a lower number changes nothing. */
  setPurchased(account: string, total: number): Promise<void>;
}

/** Identifies one metered call: the account that pays and the call's own id. */
export interface Operation {
  readonly account: string;
  /** Unique to the call and the same on every retry of it: a UUID. */
  readonly op: string;
}

/** An operation that ends; the balance of its key is in the reply if the key is given. */
export type SettledOperation = Operation & Partial<KeyShare>;

/** A request to hold credits for a call. */
export interface ReserveRequest extends Operation {
  readonly keyId: string;
  /** The endpoint's path template: stored with the charge for the usage history. */
  readonly endpoint: string;
  /** The `X-Request-Id` that the call is answered with: 8 to 64 letters, digits and `-`. */
  readonly requestId: string;
  /** Credits to hold: the ceiling of the call's quote, 1 or more. */
  readonly max: number;
  /** Credits a month of the caller's plan. */
  readonly limit: number;
  /** Credits a month that the key itself may use; null or absent: as many as the account. */
  readonly keyLimit?: number | null | undefined;
}

/** A key with its monthly limit. */
export type KeyShare = Pick<ReserveRequest, 'keyId' | 'keyLimit'>;

/** The calls of an account that are charged once together: those with one idempotency key. */
export interface Once {
  /** A digest of the key. */
  readonly key: string;
  /** A digest of the request: the key belongs to the request that it was first charged for. */
  readonly request: string;
}

/** A request to charge a call that held no credits. */
export interface ChargeRequest extends ReserveRequest {
  /** Credits that the account must have, as for a hold: the ceiling of the call's quote. */
  readonly max: number;
  /** Credits to charge, at most `max`. */
  readonly actual: number;
  /**
   * The month in which the call began, as YYYYMM. The current month is charged instead if that one is
   * over and has fewer than `max` credits left, or is over for long.
   */
  readonly period: number;
  readonly once?: Once;
}

/** The balance of an account at one instant of the ledger's clock. */
export interface Balance {
  /** The plan's allowance for the month. */
  readonly limit: number;
  /** Credits a new call may still use: allowance and purchases, less what is used and held. */
  readonly remaining: number;
  /** Credits of the allowance used this month. */
  readonly used: number;
  /** Credits held for calls under way. */
  readonly held: number;
  /** Purchased credits not used yet; they do not expire. */
  readonly purchased: number;
  /** The month the allowance is of, as YYYYMM in UTC. */
  readonly period: number;
  /** When the allowance is refilled: the first of the next month, UTC. */
  readonly resetAt: Date;
  /** Of a key with a monthly limit; null without one, or where no key was given. */
  readonly key: KeyBalance | null;
}

/** The credits of a key in a month; its charges include purchased credits. */
export interface KeyBalance {
  readonly limit: number;
  /** The limit, less what the key has used and holds. The account may have less. */
  readonly remaining: number;
  readonly used: number;
  readonly held: number;
}

/** The ledger is unreachable, or its bucket is closed: the call is rejected without a charge. */
export interface Unavailable {
  readonly status: 'unavailable';
  readonly cause: Error;
}

/** The result of a reservation. */
export type Reservation =
  | {
      readonly status: 'held';
      /** Credits held. */
      readonly amount: number;
      /** When the hold expires and its credits return to the account. */
      readonly expiresAt: Date;
      readonly balance: Balance;
    }
  /** Too few credits; `required` is what the call asked to hold. */
  | { readonly status: 'exhausted'; readonly required: number; readonly balance: Balance }
  /** The account has the credits, and the key has used too much of its own limit. */
  | { readonly status: 'key_exhausted'; readonly required: number; readonly balance: Balance }
  /** The key has been revoked. */
  | { readonly status: 'revoked' }
  /** The op id belongs to a call that is over; a new call needs a new one. */
  | { readonly status: 'finished'; readonly charged: number; readonly balance: Balance }
  | Unavailable;

/** The result of a settlement. */
export type Settlement =
  | {
      readonly status: 'settled';
      /** Credits charged, now or when the operation was first settled. */
      readonly charged: number;
      readonly balance: Balance;
    }
  | Unavailable;

/** Why a call with an idempotency key is not charged. */
export type NotCharged =
  /** A call with the key was charged before. */
  | { readonly status: 'repeated'; readonly charged: number; readonly balance: Balance }
  /** The key belongs to another request. */
  | { readonly status: 'mismatch' }
  /** The account has as many keys as it may have. */
  | { readonly status: 'too_many_keys' };

/** The result of a charge without a hold: a settlement, or why the account is not charged. */
export type Charging =
  | Settlement
  | Extract<Reservation, { status: 'exhausted' | 'key_exhausted' | 'revoked' }>
  | NotCharged;

/** The result of a balance query. */
export type BalanceAnswer = { readonly status: 'known'; readonly balance: Balance } | Unavailable;

/**
 * The credit ledger: credits are held before a call runs and charged, or given back, after it.
 * The balance is never overdrawn and no operation is charged twice, even if messages are lost,
 * repeated or late. If the store is unreachable, methods resolve with `unavailable`.
 */
export interface Ledger {
  /**
   * Holds `max` credits until settled, released or expired. Repeated with the same operation, it
   * holds nothing more and has the same result.
   *
   * @throws RangeError for ids or amounts out of bounds.
   */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /**
   * Charges the price of the call and returns the rest of the hold. Only the first settlement of
   * an operation counts; later ones have the same result. After the hold has expired it charges at
   * most the credits that the account still has.
   *
   * @throws RangeError for more than was held.
   */
  settle(operation: SettledOperation, actual: number): Promise<Settlement>;
  /** Returns the whole hold: `settle` with 0. */
  release(operation: SettledOperation): Promise<Settlement>;
  /**
   * Reserves and settles a call in one step, once its price is known: an account without `max` credits
   * is `exhausted`, a key without `key_exhausted` and a revoked key `revoked`, all without a charge. Repeated with the same
   * operation, it charges nothing more and has the same result. Of the operations with one `once`, within
   * a day the first is charged and later ones are `repeated`, whatever they would cost.
   *
   * @throws RangeError for ids or amounts out of bounds; Error for an operation that was reserved.
   */
  charge(request: ChargeRequest): Promise<Charging>;
  /** The balance of the account, under a plan of `limit` credits a month, and of one of its keys. */
  balance(account: string, limit: number, key?: KeyShare): Promise<BalanceAnswer>;
  /** The balance, or why a charge with this `once` would not be made. */
  balanceFor(
    account: string,
    limit: number,
    once: Once,
    key?: KeyShare,
  ): Promise<BalanceAnswer | NotCharged>;
}

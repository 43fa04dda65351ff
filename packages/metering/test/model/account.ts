import { keyBalance } from '../../src/ledger/key-balance.ts';
import type { Balance, KeyShare } from '../../src/ledger/ledger.ts';
import { type Period, resetOf } from '../../src/ledger/month.ts';

/** Used and held credits of one month's allowance. */
interface Month {
  period: Period;
  limit: number;
  used: number;
  held: number;
}

/** Credits held for a call, and what its charge is recorded with. */
export interface Held {
  readonly period: Period;
  readonly amount: number;
  readonly expiresAtMs: number;
  readonly call: { readonly keyId: string; readonly endpoint: string; readonly requestId: string };
  readonly keyLimit: number | null;
}

/** A call under way or over, on record until `deleteAtMs`. */
export type Known = { readonly deleteAtMs: number } & (
  | { readonly held: Held }
  | { readonly held?: undefined; readonly charged: number }
);

/** An account: the functions below have the names of those in the scripts' prologue. */
export interface Account {
  current: Month;
  /** The month before the last refill: calls under way at the refill still belong to it. */
  previous: Month;
  purchased: number;
  spent: number;
  seq: number;
  readonly holds: Map<string, Held>;
  readonly operations: Map<string, Known>;
  readonly revoked: Set<string>;
  /** The credits of each key, by `keyId period`. */
  readonly keys: Map<string, { used: number; held: number }>;
  /** By idempotency key. */
  readonly once: Map<string, OnceCharged>;
}

/** The request that an idempotency key was charged for. */
export interface OnceCharged {
  readonly deleteAtMs: number;
  readonly request: string;
  readonly charged: number;
}

export function newAccount(): Account {
  const none = { period: 0, limit: 0, used: 0, held: 0 };
  const credits = { current: { ...none }, previous: { ...none }, purchased: 0, spent: 0, seq: 0 };
  return {
    ...credits,
    holds: new Map(),
    operations: new Map(),
    revoked: new Set(),
    keys: new Map(),
    once: new Map(),
  };
}

export function roll(account: Account, period: Period): void {
  if (period <= account.current.period) return;
  account.previous = account.current;
  account.current = { period, limit: account.previous.limit, used: 0, held: 0 };
}

export function monthOf({ current, previous }: Account, period: Period): Month | undefined {
  return [current, previous].find((month) => month.period === period);
}

/** Returns the credits of expired holds. */
export function reap(account: Account, nowMs: number): void {
  for (const [op, { period, amount, expiresAtMs, call }] of account.holds) {
    if (expiresAtMs > nowMs) continue;
    const month = monthOf(account, period);
    if (month !== undefined) {
      month.held -= amount;
      share(account, call.keyId, month).held -= amount;
    }
    account.holds.delete(op);
  }
}

/**
 * Credits that a month may still hold or charge. The purchased ones are shared: what the holds of
 * the other month may need of them is not available. Negative if a plan was lowered under holds.
 */
export function available(account: Account, month: Month): number {
  const other = month === account.current ? account.previous : account.current;
  const overhang = Math.max(0, other.held - allowanceLeft(other));
  return allowanceLeft(month) + purchasedLeft(account) - overhang - month.held;
}

/** The credits of a key in a month. */
export function share({ keys }: Account, keyId: string, { period }: Month) {
  const name = `${keyId} ${period}`;
  const its = keys.get(name) ?? { used: 0, held: 0 };
  keys.set(name, its);
  return its;
}

/** Credits that a key may still hold or charge in a month. */
export function keyLeft(
  account: Account,
  keyId: string,
  month: Month,
  limit: number | null,
): number {
  const { used, held } = share(account, keyId, month);
  return limit === null ? Number.POSITIVE_INFINITY : limit - used - held;
}

/** Charges the allowance first, then purchased credits; how many of those. */
export function charge(account: Account, month: Month, amount: number, keyId: string): number {
  const beyond = Math.max(0, amount - allowanceLeft(month));
  const purchased = Math.min(beyond, purchasedLeft(account));
  month.used += amount - purchased;
  account.spent += purchased;
  account.seq += 1;
  share(account, keyId, month).used += amount;
  return purchased;
}

export function balanceOf(account: Account, key?: KeyShare): Balance {
  const { period, limit, used, held } = account.current;
  const remaining = Math.max(0, available(account, account.current));
  const purchased = purchasedLeft(account);
  const its = key === undefined ? { used: 0, held: 0 } : share(account, key.keyId, account.current);
  const ofKey = keyBalance(key?.keyLimit ?? null, its.used, its.held);
  return { limit, remaining, used, held, purchased, period, resetAt: resetOf(period), key: ofKey };
}

function allowanceLeft({ limit, used }: Month): number {
  return Math.max(0, limit - used);
}

function purchasedLeft({ purchased, spent }: Account): number {
  return Math.max(0, purchased - spent);
}

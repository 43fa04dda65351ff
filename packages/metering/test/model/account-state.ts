import type { Balance } from '../../src/ledger/ledger.ts';
import type { AccountTotals } from '../../src/ledger/ledger-stream.ts';
import { type Period, resetOf } from '../../src/ledger/month.ts';

/** Used and held credits of one month's allowance. */
export interface Month {
  readonly period: Period;
  readonly limit: number;
  /** Credits of the allowance used. */
  readonly used: number;
  /** Credits held by calls that began in this month. */
  readonly held: number;
}

/**
 * The ledger's state of an account's credits. All but `held` and `limit` only increase
 * within their month, which is what lets a lost store be healed by taking the larger.
 */
export interface AccountState {
  readonly current: Month;
  /** The month before the last refill: calls under way at the refill still belong to it. */
  readonly previous: Month;
  /** Purchased credits, ever. */
  readonly purchased: number;
  /** Purchased credits used, ever. */
  readonly spent: number;
  /** How many charges the account has had. */
  readonly seq: number;
}

const NO_MONTH: Month = Object.freeze({ period: 0, limit: 0, used: 0, held: 0 });

export const NEW_ACCOUNT: AccountState = Object.freeze({
  current: NO_MONTH,
  previous: NO_MONTH,
  purchased: 0,
  spent: 0,
  seq: 0,
});

/** Which of the two months a hold belongs to. */
export type Which = 'current' | 'previous';

/** The month of a hold; undefined when it lies too far back to be charged. */
export function monthOf(state: AccountState, period: Period): Which | undefined {
  if (period === state.current.period) return 'current';
  return period === state.previous.period ? 'previous' : undefined;
}

/** The account in the month of `period`: refilled if that is newer, never turned back. */
export function rolled(state: AccountState, period: Period): AccountState {
  if (period <= state.current.period) return state;
  const current = { period, limit: state.current.limit, used: 0, held: 0 };
  return { ...state, current, previous: state.current };
}

/**
 * Credits that may still be held or charged in one of the months. The allowance is each month's
 * own; the purchased credits are shared, so what the other month's holds may draw of them is
 * left to those. Negative when a plan was lowered under open holds.
 */
export function available(state: AccountState, which: Which): number {
  const month = state[which];
  const other = state[which === 'current' ? 'previous' : 'current'];
  return allowanceLeft(month) + purchasedLeft(state) - overhang(other) - month.held;
}

/** Adds to (or, negative, takes from) what a month's calls hold. */
export function hold(state: AccountState, which: Which, amount: number): AccountState {
  const month = state[which];
  return { ...state, [which]: { ...month, held: month.held + amount } };
}

/** A charge, and how much of it came out of purchased credits. */
export interface Charged {
  readonly state: AccountState;
  readonly purchased: number;
}

/** Charges a month: its allowance first, then purchased credits (decisions §6). */
export function charge(state: AccountState, which: Which, amount: number): Charged {
  const month = state[which];
  const beyond = Math.max(0, amount - allowanceLeft(month));
  const purchased = Math.min(beyond, purchasedLeft(state));
  const charged = { ...month, used: month.used + amount - purchased };
  const spent = state.spent + purchased;
  return { state: { ...state, [which]: charged, spent, seq: state.seq + 1 }, purchased };
}

/** The account raised to what the ledger says it used; nothing is lowered (architecture §3). */
export function restored(state: AccountState, totals: AccountTotals): AccountState {
  const { period, used } = totals;
  const reached = rolled(state, period);
  const which = monthOf(reached, period);
  const raised = {
    ...reached,
    spent: Math.max(state.spent, totals.spent),
    seq: Math.max(state.seq, totals.seq),
    purchased: Math.max(state.purchased, totals.purchased),
  };
  if (which === undefined) return raised;
  const month = reached[which];
  return { ...raised, [which]: { ...month, used: Math.max(month.used, used) } };
}

/** The balance as reported to the account's owner. */
export function balanceOf(state: AccountState): Balance {
  const { period, limit, used, held } = state.current;
  return {
    limit,
    remaining: Math.max(0, available(state, 'current')),
    used,
    held,
    purchased: purchasedLeft(state),
    period,
    resetAt: resetOf(period),
  };
}

function allowanceLeft({ limit, used }: Month): number {
  return Math.max(0, limit - used);
}

function purchasedLeft({ purchased, spent }: AccountState): number {
  return Math.max(0, purchased - spent);
}

// The part of a month's holds that its allowance does not cover.
function overhang(month: Month): number {
  return Math.max(0, month.held - allowanceLeft(month));
}

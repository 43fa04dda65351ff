import { type LedgerTimes, OPEN_HOLDS_MAX } from '../../src/ledger/bounds.ts';
import type { Reservation, ReserveRequest, Settlement } from '../../src/ledger/ledger.ts';
import { moreThanHeld, tooManyHolds } from '../../src/ledger/ledger-errors.ts';
import { type Period, periodOf } from '../../src/ledger/month.ts';
import {
  type AccountState,
  available,
  balanceOf,
  charge,
  hold,
  monthOf,
  rolled,
} from './account-state.ts';

/** Credits held for a call under way. */
export interface HeldOperation {
  readonly kind: 'held';
  readonly period: Period;
  readonly amount: number;
  readonly expiresAtMs: number;
  readonly keyId: string;
  readonly endpoint: string;
  readonly requestId: string;
}

/** A call that is over. */
export interface DoneOperation {
  readonly kind: 'done';
  readonly charged: number;
}

/** The record of an operation, stored until `deleteAtMs`. */
export type KnownOperation = (HeldOperation | DoneOperation) & { readonly deleteAtMs: number };

/** The changes of the ledger by a decision, in addition to the result. */
export interface Decision<Answer> {
  readonly answer: Answer;
  readonly state: AccountState;
  /** The new record of the operation; undefined: unchanged. */
  readonly operation?: KnownOperation;
}

/** A charge as it goes into the ledger. */
export interface Charge {
  readonly period: Period;
  readonly keyId: string;
  readonly endpoint: string;
  readonly requestId: string;
  readonly charged: number;
  readonly purchased: number;
}

/** An account that was brought up to now: month refilled, expired holds given back. */
export interface Situation {
  readonly state: AccountState;
  readonly known: KnownOperation | undefined;
  /**
   * Whether credits are still held for the operation. Not read off the clock: one that was set
   * back would free them twice.
   */
  readonly isOpen: boolean;
  readonly nowMs: number;
  readonly times: LedgerTimes;
}

/** Brings an account up to now: rolls the month, gives back what the expired holds held. */
export function upToDate(
  state: AccountState,
  expired: readonly HeldOperation[],
  nowMs: number,
): AccountState {
  return expired.reduce(
    (account, { period, amount }) => {
      const which = monthOf(account, period);
      return which === undefined ? account : hold(account, which, -amount);
    },
    rolled(state, periodOf(nowMs)),
  );
}

/** Decides whether credits are held (architecture §3). Known operations answer as before. */
export function decideReserve(
  { state, known, isOpen, nowMs, times }: Situation,
  request: ReserveRequest,
  { isRevoked, openHolds }: { readonly isRevoked: boolean; readonly openHolds: number },
): Decision<Reservation> {
  if (known !== undefined) return { answer: repeated(state, known, isOpen), state };
  if (isRevoked) return { answer: { status: 'revoked' }, state };
  const { keyId, endpoint, requestId, max, limit } = request;
  const limited = { ...state, current: { ...state.current, limit } };
  if (available(limited, 'current') < max) {
    const balance = balanceOf(limited);
    return { answer: { status: 'exhausted', required: max, balance }, state: limited };
  }
  if (openHolds >= OPEN_HOLDS_MAX) {
    return { answer: { status: 'unavailable', cause: tooManyHolds() }, state: limited };
  }
  const held = hold(limited, 'current', max);
  const expiresAtMs = nowMs + times.holdMs;
  const operation: KnownOperation = {
    kind: 'held',
    period: held.current.period,
    amount: max,
    expiresAtMs,
    keyId,
    endpoint,
    requestId,
    deleteAtMs: expiresAtMs + times.lateMs,
  };
  const balance = balanceOf(held);
  const expiresAt = new Date(expiresAtMs);
  return { answer: { status: 'held', amount: max, expiresAt, balance }, state: held, operation };
}

/**
 * Decides what a call is charged. On time: what it cost. Late, its hold already given back: at
 * most what its month still has. Unknown or done: nothing more.
 *
 * @throws RangeError for more than was held.
 */
export function decideSettle(
  { state, known, isOpen, nowMs, times }: Situation,
  actual: number,
): Decision<Settlement> & { readonly charge?: Charge } {
  if (known?.kind !== 'held') {
    return { answer: settled(state, known?.charged ?? 0), state };
  }
  const { period, amount, keyId, endpoint, requestId } = known;
  if (actual > amount) throw moreThanHeld(actual, amount);
  const which = monthOf(state, period);
  const deleteAtMs = nowMs + times.outcomeMs;
  // Two refills ago: only a clock that jumped gets here.
  if (which === undefined) {
    return {
      answer: settled(state, 0),
      state,
      operation: { kind: 'done', charged: 0, deleteAtMs },
    };
  }
  const freed = isOpen ? hold(state, which, -amount) : state;
  const charged = isOpen ? actual : Math.min(actual, Math.max(0, available(state, which)));
  const operation: KnownOperation = { kind: 'done', charged, deleteAtMs };
  if (charged === 0) return { answer: settled(freed, 0), state: freed, operation };
  const { state: paid, purchased } = charge(freed, which, charged);
  const entry = { period, keyId, endpoint, requestId, charged, purchased };
  return { answer: settled(paid, charged), state: paid, operation, charge: entry };
}

function repeated(state: AccountState, known: KnownOperation, isOpen: boolean): Reservation {
  const balance = balanceOf(state);
  if (known.kind === 'done') return { status: 'finished', charged: known.charged, balance };
  const { amount, expiresAtMs } = known;
  if (!isOpen) return { status: 'finished', charged: 0, balance };
  return { status: 'held', amount, expiresAt: new Date(expiresAtMs), balance };
}

function settled(state: AccountState, charged: number): Settlement {
  return { status: 'settled', charged, balance: balanceOf(state) };
}

import { ApiError, type Clock, systemClock } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import { isOutage } from '../postgres/database.ts';
import { LeakyCounter } from './leaky-counter.ts';
import { createShareMetrics, type ShareMetrics } from './metrics.ts';
import {
  type Caller,
  SHARE_LIMITS,
  type ShareLimits,
  type SteadyShare,
  steadyShare,
} from './steady-share.ts';

const ACCOUNTS_MAX = 10_000;

/** A call's right to read. */
export interface Slot {
  /** Reads, then leaves. What failed for no outage counts as unpaid database time. */
  run<T>(read: () => Promise<T>): Promise<T>;
  /** Leaves without having read. */
  leave(): void;
}

export interface AccountSharesOptions {
  /** Calls of all accounts that read at a time: as many as there are connections. */
  readonly slots: number;
  /** Calls of one account that read at a time. */
  readonly slotsPerAccount: number;
  readonly registry: Registry;
  readonly clock?: Clock;
  readonly limits?: Partial<ShareLimits>;
}

interface Waiter {
  readonly admit: () => void;
  readonly reject: (error: ApiError) => void;
  timer: NodeJS.Timeout;
}

interface Account {
  readonly id: string;
  running: number;
  readonly waiting: Waiter[];
  /** Time of reads that failed. */
  readonly unpaid: LeakyCounter;
  share: SteadyShare;
}

/** When an account entered last. */
interface Entry {
  readonly account: Account;
  readonly atMs: number;
}

/**
 * Divides the connections of this process among accounts. A call reads once its account has a slot
 * and there is a connection; accounts that wait are served in turn. Only this process is counted.
 *
 * A slot belongs to a call until its statement has ended, also when the client has left.
 */
export class AccountShares {
  readonly #slots: number;
  readonly #slotsPerAccount: number;
  readonly #clock: Clock;
  readonly #metrics: ShareMetrics;
  readonly #limits: ShareLimits;
  readonly #accounts = new Map<string, Account>();
  /** Accounts with calls that wait, the one served last at the end. */
  readonly #queue = new Set<Account>();
  #running = 0;
  /** The last entry, and the last one of another account. */
  #latest: Entry | undefined;
  #latestOther: Entry | undefined;

  constructor(options: AccountSharesOptions) {
    this.#slots = options.slots;
    this.#slotsPerAccount = options.slotsPerAccount;
    this.#clock = options.clock ?? systemClock;
    this.#limits = { ...SHARE_LIMITS, ...options.limits };
    this.#metrics = createShareMetrics(options.registry, () => ({
      running: this.#running,
      waiting: this.#waiting(),
    }));
  }

  /**
   * Waits for a slot. A client that left while its call waited gets none.
   *
   * @throws ApiError `too_many_requests` while the account's own calls, or the unpaid database time
   *   of its calls, leave it none; `unavailable` when no connection is free in time;
   *   `request_timeout` for a client that left.
   */
  async enter(caller: Caller, hasLeft: () => boolean): Promise<Slot> {
    const account = this.#accountOf(caller);
    this.#noteEntry(account);
    if (account.waiting.length > 0 || !this.#isFree() || !this.#hasSlot(account)) {
      await this.#wait(account);
    } else {
      this.#start(account);
    }
    const slot = this.#slotOf(account);
    if (!hasLeft()) return slot;
    slot.leave();
    throw new ApiError('request_timeout', 'The client closed the connection.');
  }

  #slotOf(account: Account): Slot {
    const clock = this.#clock;
    let hasLeft = false;
    const leave = (): void => {
      if (hasLeft) return;
      hasLeft = true;
      this.#leave(account);
    };
    return {
      leave,
      run: async (read) => {
        const startedMs = clock.monotonicMs();
        const count = (...counters: readonly LeakyCounter[]): void => {
          const nowMs = clock.monotonicMs();
          for (const counter of counters) counter.add(nowMs - startedMs, nowMs);
        };
        try {
          const result = await read();
          count(account.share.busy);
          return result;
        } catch (thrown) {
          if (!isOutage(thrown)) count(account.share.busy, account.unpaid);
          throw thrown;
        } finally {
          leave();
        }
      },
    };
  }

  #wait(account: Account): Promise<void> {
    if (account.waiting.length >= this.#limits.waitingMax) throw this.#refusal(account);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        admit: resolve,
        reject,
        timer: setTimeout(() => this.#late(account, waiter), this.#limits.ownWaitMsMax),
      };
      account.waiting.push(waiter);
      this.#queue.add(account);
    });
  }

  #late(account: Account, waiter: Waiter): void {
    this.#admitWaiting();
    if (!account.waiting.includes(waiter)) return;
    if (!this.#hasSlot(account)) {
      this.#reject(account, waiter, this.#refusal(account));
      return;
    }
    const giveUp = () => {
      const error = this.#hasSlot(account) ? this.#busy() : this.#refusal(account);
      this.#reject(account, waiter, error);
    };
    waiter.timer = setTimeout(giveUp, this.#limits.connectionWaitMsMax);
  }

  #reject(account: Account, waiter: Waiter, error: ApiError): void {
    account.waiting.splice(account.waiting.indexOf(waiter), 1);
    if (account.waiting.length === 0) this.#queue.delete(account);
    this.#forget(account);
    waiter.reject(error);
  }

  #leave(account: Account): void {
    account.running -= 1;
    this.#running -= 1;
    this.#admitWaiting();
    this.#forget(account);
  }

  // An account that was served goes to the end, where the same walk comes to it again.
  #admitWaiting(): void {
    for (const account of this.#queue) {
      if (!this.#isFree()) return;
      if (!this.#hasSlot(account)) continue;
      this.#queue.delete(account);
      const waiter = account.waiting.shift();
      if (account.waiting.length > 0) this.#queue.add(account);
      if (waiter === undefined) continue;
      clearTimeout(waiter.timer);
      this.#start(account);
      waiter.admit();
    }
  }

  #start(account: Account): void {
    account.running += 1;
    this.#running += 1;
  }

  #isFree(): boolean {
    return this.#running < this.#slots;
  }

  #hasSlot(account: Account): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (account.unpaid.at(nowMs) > this.#limits.unpaidMsMax) return false;
    const { busy, busyMsMax, slotsWhenBusy } = account.share;
    const isBusy = busy.at(nowMs) > busyMsMax && this.#hasCompany(account, nowMs);
    return account.running < (isBusy ? slotsWhenBusy : this.#slotsPerAccount);
  }

  #noteEntry(account: Account): void {
    if (this.#latest !== undefined && this.#latest.account !== account) {
      this.#latestOther = this.#latest;
    }
    this.#latest = { account, atMs: this.#clock.monotonicMs() };
  }

  #hasCompany(account: Account, nowMs: number): boolean {
    const other = this.#latest?.account === account ? this.#latestOther : this.#latest;
    return other !== undefined && nowMs - other.atMs < this.#limits.companyMs;
  }

  #accountOf({ accountId: id, plan }: Caller): Account {
    const found = this.#accounts.get(id);
    if (found !== undefined) {
      if (found.share.plan !== plan)
        found.share = steadyShare(plan, this.#limits, this.#slotsPerAccount);
      return found;
    }
    if (this.#accounts.size >= ACCOUNTS_MAX)
      for (const each of this.#accounts.values()) this.#forget(each);
    const { unpaidMsMax, forgivenMsPerSecond, refusedSecondsMax } = this.#limits;
    const unpaidMost = unpaidMsMax + refusedSecondsMax * forgivenMsPerSecond;
    const account: Account = {
      id,
      running: 0,
      waiting: [],
      unpaid: new LeakyCounter(forgivenMsPerSecond, unpaidMost),
      share: steadyShare(plan, this.#limits, this.#slotsPerAccount),
    };
    this.#accounts.set(id, account);
    return account;
  }

  #forget(account: Account): void {
    if (account.running > 0 || account.waiting.length > 0) return;
    const nowMs = this.#clock.monotonicMs();
    if (account.unpaid.at(nowMs) > 0 || account.share.busy.at(nowMs) > 0) return;
    this.#accounts.delete(account.id);
  }

  #waiting(): number {
    let waiting = 0;
    for (const account of this.#queue) waiting += account.waiting.length;
    return waiting;
  }

  #refusal(account: Account): ApiError {
    const { unpaidMsMax, forgivenMsPerSecond } = this.#limits;
    const overMs = account.unpaid.at(this.#clock.monotonicMs()) - unpaidMsMax;
    if (overMs > 0) {
      this.#metrics.refused('unpaid_time');
      return new ApiError(
        'too_many_requests',
        'Calls of this account that ended in errors took too much database time. No credits were ' +
          'charged. Wait as Retry-After says, then send calls that are narrower.',
        { retryAfterSeconds: overMs / forgivenMsPerSecond },
      );
    }
    const { busy, busyMsMax, slotsWhenBusy, drainedMsPerSecond } = account.share;
    const busyMs = busy.at(this.#clock.monotonicMs()) - busyMsMax;
    if (slotsWhenBusy === 0 && busyMs > 0) {
      this.#metrics.refused('busy_time');
      return new ApiError(
        'too_many_requests',
        'Calls of this account took more database time than the free plan allows while other ' +
          'accounts call. No credits were charged. Wait as Retry-After says, then send narrower calls.',
        { retryAfterSeconds: busyMs / drainedMsPerSecond },
      );
    }
    this.#metrics.refused('concurrency');
    return new ApiError(
      'too_many_requests',
      `An account reads with at most ${this.#slotsPerAccount} calls at a time, and earlier ` +
        'calls of this account are still under way. No credits were charged. Retry, with fewer ' +
        'calls at a time.',
      { retryAfterSeconds: 1 },
    );
  }

  #busy(): ApiError {
    this.#metrics.refused('no_connection');
    return new ApiError(
      'unavailable',
      'The database is busy. The call was not processed and no credits were charged.',
    );
  }
}

import { ApiError, type Clock, systemClock } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import { LeakyCounter } from './leaky-counter.ts';
import { createShareMetrics, type ShareMetrics } from './metrics.ts';
import { StallMeter } from './stall-meter.ts';
import {
  type Caller,
  SHARE_LIMITS,
  type ShareLimits,
  type SteadyShare,
  steadyShare,
} from './steady-share.ts';

const ACCOUNTS_MAX = 10_000;

/** The permission of one call to use the database. */
export interface Slot {
  /**
   * Reads, then releases. A failure counts as unpaid database time, unless it is an outage. The time
   * of a stall of the database does not count.
   */
  run<T>(read: () => Promise<T>): Promise<T>;
  /** Releases the slot. */
  release(): void;
}

export interface AccountSharesOptions {
  /** Concurrent calls of all accounts: the number of connections. */
  readonly slots: number;
  /** Concurrent calls of one account. */
  readonly slotsPerAccount: number;
  readonly registry: Registry;
  /** Whether a read failed because of an outage, which the account did not cause. */
  readonly isOutage: (thrown: unknown) => boolean;
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
  /** Database time of failed reads. */
  readonly unpaid: LeakyCounter;
  share: SteadyShare;
}

/** The last call of an account. By id: an idle account is evicted, and its next call makes a new object. */
interface Entry {
  readonly accountId: string;
  readonly atMs: number;
}

/**
 * Divides the connections of this process among accounts. A call reads once its account has a slot
 * and a connection is free; waiting accounts are served round-robin. Each process counts alone.
 *
 * A call holds its slot until its statement has ended, even if the client has disconnected.
 */
export class AccountShares {
  readonly #slots: number;
  readonly #slotsPerAccount: number;
  readonly #isOutage: (thrown: unknown) => boolean;
  readonly #clock: Clock;
  readonly #metrics: ShareMetrics;
  readonly #limits: ShareLimits;
  readonly #accounts = new Map<string, Account>();
  /** Accounts with waiting calls; the one served last is at the end. */
  readonly #queue = new Set<Account>();
  #running = 0;
  /** Accounts with a call that holds a slot. */
  #reading = 0;
  readonly #stalls = new StallMeter();
  /** The last call, and the last one of another account. */
  #latest: Entry | undefined;
  #latestOther: Entry | undefined;

  constructor(options: AccountSharesOptions) {
    this.#slots = options.slots;
    this.#slotsPerAccount = options.slotsPerAccount;
    this.#isOutage = options.isOutage;
    this.#clock = options.clock ?? systemClock;
    this.#limits = { ...SHARE_LIMITS, ...options.limits };
    this.#metrics = createShareMetrics(options.registry, () => ({
      running: this.#running,
      waiting: this.#waiting(),
    }));
  }

  /**
   * Waits for a slot. A call whose client disconnected meanwhile gets none.
   *
   * @throws ApiError `too_many_requests` if calls of the account hold all its slots, or its unpaid
   *   database time exceeds the limit; `unavailable` if no connection is free in time;
   *   `request_timeout` if the client disconnected.
   */
  async acquire(caller: Caller, hasDisconnected: () => boolean): Promise<Slot> {
    const account = this.#accountOf(caller);
    this.#recordEntry(account);
    if (account.waiting.length > 0 || !this.#isFree() || !this.#hasSlot(account)) {
      await this.#wait(account);
    } else {
      this.#start(account);
    }
    const slot = this.#slotOf(account);
    if (!hasDisconnected()) return slot;
    slot.release();
    throw new ApiError('request_timeout', 'The client closed the connection.');
  }

  #slotOf(account: Account): Slot {
    const clock = this.#clock;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#release(account);
    };
    return {
      release,
      run: async (read) => {
        const startedMs = clock.monotonicMs();
        const stalledMs = this.#stalls.totalMs(startedMs);
        const count = (...counters: readonly LeakyCounter[]): void => {
          const nowMs = clock.monotonicMs();
          const ownMs = nowMs - startedMs - (this.#stalls.totalMs(nowMs) - stalledMs);
          for (const counter of counters) counter.add(Math.max(0, ownMs), nowMs);
        };
        try {
          const result = await read();
          count(account.share.busy);
          this.#stalls.restart(this.#reading > 1, clock.monotonicMs());
          return result;
        } catch (thrown) {
          if (!this.#isOutage(thrown)) count(account.share.busy, account.unpaid);
          throw thrown;
        } finally {
          release();
        }
      },
    };
  }

  #wait(account: Account): Promise<void> {
    if (account.waiting.length >= this.#limits.waitingMax) throw this.#rejection(account);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        admit: resolve,
        reject,
        timer: setTimeout(() => this.#afterOwnWait(account, waiter), this.#limits.ownWaitMsMax),
      };
      account.waiting.push(waiter);
      this.#queue.add(account);
    });
  }

  #afterOwnWait(account: Account, waiter: Waiter): void {
    this.#admitWaiting();
    if (!account.waiting.includes(waiter)) return;
    if (!this.#hasSlot(account)) {
      this.#reject(account, waiter, this.#rejection(account));
      return;
    }
    const giveUp = () => {
      const error = this.#hasSlot(account) ? this.#busy() : this.#rejection(account);
      this.#reject(account, waiter, error);
    };
    waiter.timer = setTimeout(giveUp, this.#limits.connectionWaitMsMax);
  }

  #reject(account: Account, waiter: Waiter, error: ApiError): void {
    account.waiting.splice(account.waiting.indexOf(waiter), 1);
    if (account.waiting.length === 0) this.#queue.delete(account);
    this.#evictIdle(account);
    waiter.reject(error);
  }

  #release(account: Account): void {
    account.running -= 1;
    if (account.running === 0) this.#changeReading(-1);
    this.#running -= 1;
    this.#admitWaiting();
    this.#evictIdle(account);
  }

  // A served account moves to the end of the set, where this iteration visits it again.
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
    if (account.running === 1) this.#changeReading(1);
    this.#running += 1;
  }

  #changeReading(by: 1 | -1): void {
    const wereSeveral = this.#reading > 1;
    this.#reading += by;
    const areSeveral = this.#reading > 1;
    if (wereSeveral !== areSeveral) this.#stalls.restart(areSeveral, this.#clock.monotonicMs());
  }

  #isFree(): boolean {
    return this.#running < this.#slots;
  }

  #hasSlot(account: Account): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (account.unpaid.at(nowMs) > this.#limits.unpaidMsMax) return false;
    const { busy, busyMsMax, slotsWhenBusy } = account.share;
    const isBusy = busy.at(nowMs) > busyMsMax && this.#isOtherActive(account, nowMs);
    return account.running < (isBusy ? slotsWhenBusy : this.#slotsPerAccount);
  }

  #recordEntry({ id }: Account): void {
    if (this.#latest !== undefined && this.#latest.accountId !== id) {
      this.#latestOther = this.#latest;
    }
    this.#latest = { accountId: id, atMs: this.#clock.monotonicMs() };
  }

  #isOtherActive({ id }: Account, nowMs: number): boolean {
    const other = this.#latest?.accountId === id ? this.#latestOther : this.#latest;
    return other !== undefined && nowMs - other.atMs < this.#limits.otherActiveMs;
  }

  #accountOf({ accountId: id, plan }: Caller): Account {
    const found = this.#accounts.get(id);
    if (found !== undefined) {
      if (found.share.plan !== plan)
        found.share = steadyShare(plan, this.#limits, this.#slotsPerAccount);
      return found;
    }
    if (this.#accounts.size >= ACCOUNTS_MAX)
      for (const each of this.#accounts.values()) this.#evictIdle(each);
    const { unpaidMsMax, unpaidDrainMsPerSecond, blockedSecondsMax } = this.#limits;
    const unpaidCap = unpaidMsMax + blockedSecondsMax * unpaidDrainMsPerSecond;
    const account: Account = {
      id,
      running: 0,
      waiting: [],
      unpaid: new LeakyCounter(unpaidDrainMsPerSecond, unpaidCap),
      share: steadyShare(plan, this.#limits, this.#slotsPerAccount),
    };
    this.#accounts.set(id, account);
    return account;
  }

  #evictIdle(account: Account): void {
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

  #rejection(account: Account): ApiError {
    const { unpaidMsMax, unpaidDrainMsPerSecond } = this.#limits;
    const overMs = account.unpaid.at(this.#clock.monotonicMs()) - unpaidMsMax;
    if (overMs > 0) {
      this.#metrics.rejected('unpaid_time');
      return new ApiError(
        'too_many_requests',
        'Failed calls of this account took too much database time. No credits were charged. ' +
          'Retry after the time in Retry-After, with narrower filters.',
        { retryAfterSeconds: overMs / unpaidDrainMsPerSecond },
      );
    }
    const { busy, busyMsMax, slotsWhenBusy, drainedMsPerSecond } = account.share;
    const busyMs = busy.at(this.#clock.monotonicMs()) - busyMsMax;
    if (slotsWhenBusy === 0 && busyMs > 0) {
      this.#metrics.rejected('busy_time');
      return new ApiError(
        'too_many_requests',
        'Calls of this account took more database time than the free plan allows under load. ' +
          'No credits were charged. Retry after the time in Retry-After, with narrower filters.',
        { retryAfterSeconds: busyMs / drainedMsPerSecond },
      );
    }
    this.#metrics.rejected('concurrency');
    return new ApiError(
      'too_many_requests',
      `An account may run at most ${this.#slotsPerAccount} calls at the same time. Earlier calls ` +
        'are still running. No credits were charged. Retry with fewer concurrent calls.',
      { retryAfterSeconds: 1 },
    );
  }

  #busy(): ApiError {
    this.#metrics.rejected('no_connection');
    return new ApiError(
      'unavailable',
      'The database is busy. The call was not processed and no credits were charged.',
    );
  }
}

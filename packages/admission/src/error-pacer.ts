import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, systemClock } from '@vcds/service-kit';
import { Counter, type Registry } from 'prom-client';
import { LeakyCounter } from './leaky-counter.ts';

/** The rate of free errors of one account beyond which responses are delayed. */
export interface PaceLimits {
  /** Errors without delay. */
  readonly burst: number;
  /** Errors per second after that. */
  readonly perSecond: number;
  /** The longest delay of a response, in milliseconds. */
  readonly delayMsMax: number;
}

export const PACE_LIMITS: PaceLimits = Object.freeze({
  burst: 100,
  perSecond: 20,
  delayMsMax: 2_000,
});

const ACCOUNTS_MAX = 10_000;

export interface ErrorPacerOptions {
  readonly registry: Registry;
  readonly clock?: Clock;
  readonly limits?: PaceLimits;
}

/**
 * Delays the responses of an account whose calls keep failing. Errors are free, so credits do not
 * bound them, and a client that retries in a tight loop would starve other accounts. Each process
 * counts on its own.
 */
export class ErrorPacer {
  readonly #limits: PaceLimits;
  readonly #clock: Clock;
  readonly #accounts = new Map<string, LeakyCounter>();
  readonly #delayed: Counter;

  constructor({ registry, clock = systemClock, limits = PACE_LIMITS }: ErrorPacerOptions) {
    this.#limits = limits;
    this.#clock = clock;
    this.#delayed = new Counter({
      name: 'vcds_delayed_errors_total',
      help: 'Responses that were delayed because of too many errors of one account.',
      registers: [registry],
    });
  }

  /** Counts an error of the account. @returns the delay of its response in milliseconds. */
  delayMs(accountId: string): number {
    const { burst, perSecond, delayMsMax } = this.#limits;
    const nowMs = this.#clock.monotonicMs();
    const errors = this.#errorsOf(accountId, nowMs);
    errors.add(1, nowMs);
    const overBurst = errors.at(nowMs) - burst;
    return Math.min(delayMsMax, Math.max(0, (overBurst / perSecond) * 1000));
  }

  /** Counts an error of the account, and waits for {@link delayMs}. */
  async pace(accountId: string): Promise<void> {
    const delayMs = this.delayMs(accountId);
    if (delayMs === 0) return;
    this.#delayed.inc();
    await delay(delayMs, undefined, { ref: false });
  }

  #errorsOf(accountId: string, nowMs: number): LeakyCounter {
    const found = this.#accounts.get(accountId);
    if (found !== undefined) return found;
    if (this.#accounts.size >= ACCOUNTS_MAX) this.#evictDrained(nowMs);
    const { burst, perSecond, delayMsMax } = this.#limits;
    const errors = new LeakyCounter(perSecond, burst + (perSecond * delayMsMax) / 1000);
    this.#accounts.set(accountId, errors);
    return errors;
  }

  #evictDrained(nowMs: number): void {
    for (const [accountId, errors] of this.#accounts) {
      if (errors.at(nowMs) === 0) this.#accounts.delete(accountId);
    }
  }
}

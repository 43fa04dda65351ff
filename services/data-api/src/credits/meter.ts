/** The credit ledger as the pipeline uses it: hold before a call, charge after it. */
import type { Principal } from '@vcds/credentials';
import {
  type Balance,
  type CreditReport,
  type Ledger,
  type Once,
  PLANS,
  periodOf,
  type Quote,
  type QuoteInput,
  type RateCardEntry,
  resetOf,
  type SettledOperation,
  type Unavailable,
} from '@vcds/metering';
import { RedisUnavailable } from '@vcds/metering/redis';
import { ApiError, type Clock, systemClock, timeOrderedId, unauthorized } from '@vcds/service-kit';
import { exhausted, onceError, type RemedyUrls } from './errors.ts';
import type { MeterMetrics } from './metrics.ts';
import { createRecentBalances, type Postpaid, type RecentBalances } from './recent-balances.ts';

/** The account that a call is charged to, and the credits that its response reports. */
export interface CreditedCall {
  readonly principal: Principal;
  /** Undefined until the ledger has replied. */
  credits: CreditReport | undefined;
  /** The call repeats one that was charged before, by its idempotency key. */
  isRepeated?: boolean;
  /** The credits that remain of the limit of its key; undefined without one. */
  keyRemaining?: number | undefined;
}

export interface PricedCall {
  readonly call: CreditedCall;
  /** Stored with the charge. */
  readonly requestId: string;
  readonly rate: RateCardEntry;
  readonly quote: Quote;
  readonly input: QuoteInput;
  /** Of a call with an idempotency key. */
  readonly once?: Once | undefined;
}

/** Credits reserved for one call, or the right to charge it later. Either settle or release it. */
export interface Hold {
  /**
   * Charges the price of the records.
   *
   * @throws ApiError `unavailable` if the ledger is unreachable and has charged nothing; without
   *   reserved credits also `credits_exhausted` and `unauthorized`, as `reserve`.
   */
  settle(records: number): Promise<void>;
  /** Charges nothing. */
  release(): Promise<void>;
}

/** Runs the work of a call; releases its hold if the work fails. */
export async function releasedOnError<T>(hold: Hold, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await hold.release();
    throw error;
  }
}

export interface MeterOptions extends RemedyUrls {
  readonly ledger: Ledger;
  readonly metrics: MeterMetrics;
  readonly clock?: Clock;
}

export class Meter {
  readonly #ledger: Ledger;
  readonly #recent: RecentBalances;
  readonly #clock: Clock;
  readonly #urls: RemedyUrls;
  readonly #metrics: MeterMetrics;

  constructor({ ledger, purchaseUrl, keyLimitUrl, metrics, clock = systemClock }: MeterOptions) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#recent = createRecentBalances(clock);
    this.#urls = { purchaseUrl, keyLimitUrl };
    this.#metrics = metrics;
  }

  /**
   * Holds the maximum price of a call. A free call holds nothing and only reads the balance. Nor does
   * a call that costs little beside the last balance: its price is reserved and settled in one step
   * when its response is ready, which saves one of two round trips; with a key that has a limit of its
   * own it holds.
   *
   * A call with an idempotency key holds nothing either: calls with one key may run at the same time, and
   * the first that is ready is charged. One that failed or was killed has charged nothing.
   *
   * @throws ApiError `credits_exhausted`, `key_limit_reached`; `unauthorized` for a key that was revoked meanwhile;
   *   `unavailable` if the ledger is unreachable: no call is served without metering;
   *   `idempotency_mismatch`, `too_many_requests` for an idempotency key.
   */
  async reserve(priced: PricedCall): Promise<Hold> {
    const { call, requestId, rate, quote } = priced;
    const { accountId, plan } = call.principal;
    if (quote.ceiling === 0) return this.#free(call);
    if (priced.once !== undefined) return this.#once(priced, priced.once);
    const key = shareOf(call.principal);
    const postpaid =
      key.keyLimit === null ? this.#recent.beginPostpaid(accountId, quote.ceiling) : undefined;
    if (postpaid !== undefined) return this.#postpaid(priced, postpaid);
    const operation = { account: accountId, op: timeOrderedId(), ...key };
    const reservation = await this.#ledger.reserve({
      ...operation,
      endpoint: rate.path,
      requestId,
      max: quote.ceiling,
      limit: PLANS[plan].creditsPerMonth,
    });
    this.#metrics.reserved(reservation.status, quote.ceiling);
    switch (reservation.status) {
      case 'held':
        return this.#hold(call, operation, quote, reservation.balance);
      case 'exhausted':
      case 'key_exhausted':
        call.credits = this.#reportOf(call.principal, 0, reservation.balance);
        throw this.#exhausted(priced, reservation.balance);
      case 'revoked':
        throw unauthorized('revoked');
      case 'finished':
        throw new Error('A new operation id was already used.');
      case 'unavailable':
        throw this.#unavailable(call, reservation);
    }
  }

  /** The last balance that was read, at most 60 s old, without reading it again. */
  recent(principal: Principal): CreditReport | undefined {
    return this.#recent.find(principal.accountId) && this.#lastReport(principal);
  }

  /**
   * The balance for the headers of a free response. If the ledger is unreachable, it is the last one
   * read, at most 60 s old; without one, `remaining` is undefined.
   */
  async report(principal: Principal): Promise<CreditReport> {
    const limit = PLANS[principal.plan].creditsPerMonth;
    const answer = await this.#ledger.balance(principal.accountId, limit, shareOf(principal));
    if (answer.status !== 'known') return this.#lastReport(principal);
    return this.#reportOf(principal, 0, answer.balance);
  }

  #lastReport({ accountId, plan, creditLimit }: Principal): CreditReport {
    const balance = this.#recent.find(accountId);
    return {
      charged: 0,
      limit: PLANS[plan].creditsPerMonth,
      remaining: balance?.remaining,
      resetAt: balance?.resetAt ?? resetOf(periodOf(this.#clock.wallMs())),
      key: creditLimit === null ? null : { limit: creditLimit, remaining: undefined },
    };
  }

  #reportOf({ accountId }: Principal, charged: number, balance: Balance): CreditReport {
    this.#recent.store(accountId, balance);
    return reportOf(charged, balance);
  }

  #free(call: CreditedCall): Hold {
    const report = async (): Promise<void> => {
      call.credits = await this.report(call.principal);
    };
    return { settle: report, release: report };
  }

  #hold(call: CreditedCall, operation: SettledOperation, quote: Quote, held: Balance): Hold {
    const { principal } = call;
    this.#recent.ledgerAvailable();
    this.#recent.store(principal.accountId, held);
    call.keyRemaining = held.key?.remaining;
    return {
      settle: async (records) => {
        const price = quote.settle(records);
        const settlement = await this.#ledger.settle(operation, price);
        this.#metrics.settled(settlement, quote.ceiling);
        if (settlement.status === 'settled') {
          call.credits = this.#reportOf(principal, settlement.charged, settlement.balance);
        } else {
          this.#serveUncertain(call, settlement, price, held.remaining + quote.ceiling - price);
        }
      },
      release: async () => {
        const settlement = await this.#ledger.release(operation);
        this.#metrics.settled(settlement, quote.ceiling);
        call.credits =
          settlement.status === 'settled'
            ? this.#reportOf(principal, 0, settlement.balance)
            : this.#lastReport(principal);
      },
    };
  }

  async #once(priced: PricedCall, once: Once): Promise<Hold> {
    const { call, quote } = priced;
    const { accountId, plan } = call.principal;
    const { creditsPerMonth } = PLANS[plan];
    const key = shareOf(call.principal);
    const found = await this.#ledger.balanceFor(accountId, creditsPerMonth, once, key);
    if (found.status === 'unavailable') throw this.#unavailable(call, found);
    if (found.status === 'mismatch' || found.status === 'too_many_keys') throw onceError(found);
    const { balance } = found;
    call.credits = this.#reportOf(call.principal, 0, balance);
    const left = Math.min(balance.remaining, balance.key?.remaining ?? balance.remaining);
    if (found.status === 'known' && left < quote.ceiling) {
      throw this.#exhausted(priced, balance);
    }
    return this.#postpaid(priced, { balance, end: () => undefined });
  }

  #postpaid(priced: PricedCall, { balance: last, end }: Postpaid): Hold {
    const { call, requestId, rate, quote, once } = priced;
    const { principal } = call;
    const { accountId: account, plan } = principal;
    const settle = async (records: number): Promise<void> => {
      const price = quote.settle(records);
      const charging = await this.#ledger.charge({
        account,
        op: timeOrderedId(),
        ...shareOf(principal),
        endpoint: rate.path,
        requestId,
        max: quote.ceiling,
        actual: price,
        limit: PLANS[plan].creditsPerMonth,
        period: last.period,
        ...(once && { once }),
      });
      this.#metrics.charged(charging, quote.ceiling);
      switch (charging.status) {
        case 'settled':
          this.#recent.ledgerAvailable();
          call.credits = this.#reportOf(principal, charging.charged, charging.balance);
          return;
        case 'repeated':
          call.credits = this.#reportOf(principal, 0, charging.balance);
          call.isRepeated = true;
          return;
        case 'exhausted':
        case 'key_exhausted':
          call.credits = this.#reportOf(principal, 0, charging.balance);
          throw this.#exhausted(priced, charging.balance);
        case 'revoked':
          throw unauthorized('revoked');
        case 'mismatch':
        case 'too_many_keys':
          throw onceError(charging);
        case 'unavailable':
          this.#serveUncertain(call, charging, price, last.remaining - price);
      }
    };
    let isEnded = false;
    return {
      settle: (records) => {
        isEnded = true;
        end();
        return settle(records);
      },
      release: async () => {
        if (isEnded) return;
        end();
        call.credits = await this.report(principal);
      },
    };
  }

  /**
   * Returns if a charge was sent but not acknowledged, so that it may be made now or later: the call is
   * served, because an error might cost credits. The balance is the last one read.
   */
  #serveUncertain(call: CreditedCall, answer: Unavailable, price: number, remaining: number): void {
    const isUncertain = answer.cause instanceof RedisUnavailable && answer.cause.isUncertain;
    if (!isUncertain) throw this.#unavailable(call, answer);
    this.#recent.ledgerUnavailable();
    call.credits = { ...this.#lastReport(call.principal), charged: price, remaining };
  }

  #unavailable(call: CreditedCall, { cause }: Unavailable): ApiError {
    this.#recent.ledgerUnavailable();
    call.credits = this.#lastReport(call.principal);
    const message =
      'Metering is temporarily unavailable. The request was not processed and no credits were ' +
      'charged.';
    return new ApiError('unavailable', message, {}, { cause });
  }

  #exhausted(priced: PricedCall, balance: Balance): ApiError {
    return exhausted(priced, balance, this.#urls, this.#clock.wallMs());
  }
}

function reportOf(charged: number, balance: Balance): CreditReport {
  const { limit, remaining, resetAt, key } = balance;
  return { charged, limit, remaining, resetAt, key };
}

function shareOf({ keyId, creditLimit }: Principal) {
  return { keyId, keyLimit: creditLimit };
}

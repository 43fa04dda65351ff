/** The credit ledger as the pipeline uses it: hold before a call, charge after it. */
import { randomUUID } from 'node:crypto';
import type { Principal } from '@vcds/credentials';
import {
  type Balance,
  type CreditReport,
  exhaustedBody,
  exhaustedMessage,
  type Ledger,
  type Operation,
  PLANS,
  periodOf,
  type Quote,
  type QuoteInput,
  type RateCardEntry,
  resetOf,
  type Unavailable,
} from '@vcds/metering';
import { RedisUnavailable } from '@vcds/metering/redis';
import { ApiError, type Clock, systemClock, unauthorized } from '@vcds/service-kit';
import type { MeterMetrics } from './metrics.ts';
import { createRecentBalances, type RecentBalances } from './recent-balances.ts';

/** The account that a call is charged to, and the credits that its response reports. */
export interface CreditedCall {
  readonly principal: Principal;
  /** Undefined until the ledger has replied. */
  credits: CreditReport | undefined;
}

export interface PricedCall {
  readonly call: CreditedCall;
  /** Stored with the charge. */
  readonly requestId: string;
  readonly rate: RateCardEntry;
  readonly quote: Quote;
  readonly input: QuoteInput;
}

/** Credits reserved for one call. Either settle or release it. */
export interface Hold {
  /**
   * Charges the price of the records.
   *
   * @throws ApiError `unavailable` if the ledger is unreachable and has charged nothing.
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

export interface MeterOptions {
  readonly ledger: Ledger;
  /** The page on which an account buys more credits. */
  readonly purchaseUrl: string;
  readonly metrics: MeterMetrics;
  readonly clock?: Clock;
}

export class Meter {
  readonly #ledger: Ledger;
  readonly #recent: RecentBalances;
  readonly #clock: Clock;
  readonly #purchaseUrl: string;
  readonly #metrics: MeterMetrics;

  constructor({ ledger, purchaseUrl, metrics, clock = systemClock }: MeterOptions) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#recent = createRecentBalances(clock);
    this.#purchaseUrl = purchaseUrl;
    this.#metrics = metrics;
  }

  /**
   * Holds the maximum price of a call. A free call holds nothing and only reads the balance.
   *
   * @throws ApiError `credits_exhausted`; `unauthorized` for a key that was revoked meanwhile;
   *   `unavailable` if the ledger is unreachable: no call is served without metering.
   */
  async reserve(priced: PricedCall): Promise<Hold> {
    const { call, requestId, rate, quote } = priced;
    const { accountId, keyId, plan } = call.principal;
    if (quote.ceiling === 0) return this.#free(call);
    const operation = { account: accountId, op: randomUUID() };
    const reservation = await this.#ledger.reserve({
      ...operation,
      keyId,
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
        call.credits = reportOf(0, reservation.balance);
        throw this.#exhausted(priced, reservation.balance);
      case 'revoked':
        throw unauthorized('revoked');
      case 'finished':
        throw new Error('A new operation id was already used.');
      case 'unavailable':
        call.credits = this.#lastReport(call.principal);
        throw unavailable(reservation);
    }
  }

  /**
   * The balance for the headers of a free response. If the ledger is unreachable, it is the last one
   * read, at most 60 s old; without one, `remaining` is undefined.
   */
  async report(principal: Principal): Promise<CreditReport> {
    const limit = PLANS[principal.plan].creditsPerMonth;
    const answer = await this.#ledger.balance(principal.accountId, limit);
    if (answer.status !== 'known') return this.#lastReport(principal);
    return this.#reportOf(principal, 0, answer.balance);
  }

  #lastReport({ accountId, plan }: Principal): CreditReport {
    const balance = this.#recent.find(accountId);
    return {
      charged: 0,
      limit: PLANS[plan].creditsPerMonth,
      remaining: balance?.remaining,
      resetAt: balance?.resetAt ?? resetOf(periodOf(this.#clock.wallMs())),
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

  #hold(call: CreditedCall, operation: Operation, quote: Quote, held: Balance): Hold {
    const { principal } = call;
    this.#recent.store(principal.accountId, held);
    return {
      settle: async (records) => {
        const price = quote.settle(records);
        const settlement = await this.#ledger.settle(operation, price);
        this.#metrics.settled(settlement, quote.ceiling);
        if (settlement.status === 'settled') {
          call.credits = this.#reportOf(principal, settlement.charged, settlement.balance);
        } else if (settlement.cause instanceof RedisUnavailable && settlement.cause.isUncertain) {
          // Sent but not acknowledged, so it may be charged now or later: the call is served,
          // because an error might cost credits. The balance is the last one read.
          const remaining = held.remaining + quote.ceiling - price;
          call.credits = { ...reportOf(price, held), remaining };
        } else {
          call.credits = this.#lastReport(principal);
          throw unavailable(settlement);
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

  #exhausted({ call, rate, quote, input }: PricedCall, balance: Balance): ApiError {
    const exhaustion = {
      entry: rate,
      required: quote.ceiling,
      expands: input.expands,
      countOnly: input.countOnly,
      plan: call.principal.plan,
      limit: balance.limit,
      remaining: balance.remaining,
      resetAt: balance.resetAt,
      purchaseUrl: this.#purchaseUrl,
    };
    return new ApiError('credits_exhausted', exhaustedMessage(exhaustion), {
      retryAfterSeconds: (balance.resetAt.getTime() - Date.now()) / 1000,
      beside: { ...exhaustedBody(exhaustion) },
    });
  }
}

function reportOf(charged: number, balance: Balance): CreditReport {
  return { charged, limit: balance.limit, remaining: balance.remaining, resetAt: balance.resetAt };
}

function unavailable({ cause }: Unavailable): ApiError {
  const message =
    'Metering is temporarily unavailable. The request was not processed and no credits were ' +
    'charged.';
  return new ApiError('unavailable', message, {}, { cause });
}

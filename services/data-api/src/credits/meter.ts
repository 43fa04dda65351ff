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
import type { MeterMeasures } from './metrics.ts';
import { createRecentBalances, type RecentBalances } from './recent-balances.ts';
import { Uncharged } from './uncharged.ts';

/** A priced call of a known caller. */
export interface PricedCall {
  readonly principal: Principal;
  /** Kept with the charge. */
  readonly requestId: string;
  readonly rate: RateCardEntry;
  readonly quote: Quote;
  readonly input: QuoteInput;
}

/** Credits set aside for one call. Settled or released, not both. */
export interface Hold {
  /**
   * Charges what the records cost.
   *
   * @throws Uncharged when the ledger is out of reach and nothing was or will be charged.
   */
  settle(records: number): Promise<CreditReport>;
  /** Gives everything back; the balance then, as far as it is known. */
  release(): Promise<CreditReport>;
}

export interface MeterOptions {
  readonly ledger: Ledger;
  /** Where more credits are bought. */
  readonly purchaseUrl: string;
  readonly measures: MeterMeasures;
  readonly clock?: Clock;
}

export class Meter {
  readonly #ledger: Ledger;
  readonly #recent: RecentBalances;
  readonly #clock: Clock;
  readonly #purchaseUrl: string;
  readonly #measures: MeterMeasures;

  constructor({ ledger, purchaseUrl, measures, clock = systemClock }: MeterOptions) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#recent = createRecentBalances(clock);
    this.#purchaseUrl = purchaseUrl;
    this.#measures = measures;
  }

  /**
   * Holds the ceiling of a call; a free call holds nothing and asks nothing but the balance.
   *
   * @throws Uncharged of `credits_exhausted`, `unauthorized` for a key revoked meanwhile, or
   *   `unavailable` when the ledger is out of reach (never open).
   */
  async reserve(call: PricedCall): Promise<Hold> {
    const { principal, requestId, rate, quote } = call;
    if (quote.ceiling === 0) return this.#free(principal);
    const operation = { account: principal.accountId, op: randomUUID() };
    const reservation = await this.#ledger.reserve({
      ...operation,
      keyId: principal.keyId,
      endpoint: rate.path,
      requestId,
      max: quote.ceiling,
      limit: PLANS[principal.plan].creditsPerMonth,
    });
    this.#measures.reserved(reservation.status, quote.ceiling);
    switch (reservation.status) {
      case 'held':
        return this.#hold(principal, operation, quote, reservation.balance);
      case 'exhausted':
        throw this.#exhausted(call, reservation.balance);
      case 'revoked':
        throw new Uncharged(unauthorized('revoked'));
      case 'finished':
        throw new Error('A fresh operation id was already used.');
      case 'unavailable':
        throw unavailable(reservation, this.#reportUnasked(principal));
    }
  }

  /**
   * The balance for the headers of an answer that cost nothing. While the ledger is out of reach,
   * the last one known, 60 s old at most; without one, `remaining` is undefined.
   */
  async report(principal: Principal): Promise<CreditReport> {
    const limit = PLANS[principal.plan].creditsPerMonth;
    const answer = await this.#ledger.balance(principal.accountId, limit);
    if (answer.status !== 'known') return this.#reportUnasked(principal);
    return this.#reportOf(principal, 0, answer.balance);
  }

  #reportUnasked({ accountId, plan }: Principal): CreditReport {
    const balance = this.#recent.find(accountId);
    return {
      charged: 0,
      limit: PLANS[plan].creditsPerMonth,
      remaining: balance?.remaining,
      resetAt: balance?.resetAt ?? resetOf(periodOf(this.#clock.wallMs())),
    };
  }

  #reportOf({ accountId }: Principal, charged: number, balance: Balance): CreditReport {
    this.#recent.remember(accountId, balance);
    return reportOf(charged, balance);
  }

  #free(principal: Principal): Hold {
    return {
      settle: () => this.report(principal),
      release: () => this.report(principal),
    };
  }

  #hold(principal: Principal, operation: Operation, quote: Quote, held: Balance): Hold {
    this.#recent.remember(principal.accountId, held);
    return {
      settle: async (records) => {
        const price = quote.settle(records);
        const settlement = await this.#ledger.settle(operation, price);
        this.#measures.settled(settlement, quote.ceiling);
        if (settlement.status === 'settled') {
          return this.#reportOf(principal, settlement.charged, settlement.balance);
        }
        // Sent and not answered: it may be charged already, or once Redis goes on. What may be
        // paid for is served, or an error might cost something; the balance is as last heard.
        if (settlement.cause instanceof RedisUnavailable && settlement.cause.isUncertain) {
          return { ...reportOf(price, held), remaining: held.remaining + quote.ceiling - price };
        }
        throw unavailable(settlement, this.#reportUnasked(principal));
      },
      release: async () => {
        const settlement = await this.#ledger.release(operation);
        this.#measures.settled(settlement, quote.ceiling);
        if (settlement.status !== 'settled') return this.#reportUnasked(principal);
        return this.#reportOf(principal, 0, settlement.balance);
      },
    };
  }

  #exhausted({ principal, rate, quote, input }: PricedCall, balance: Balance): Uncharged {
    const exhaustion = {
      entry: rate,
      required: quote.ceiling,
      expands: input.expands,
      countOnly: input.countOnly,
      plan: principal.plan,
      limit: balance.limit,
      remaining: balance.remaining,
      resetAt: balance.resetAt,
      purchaseUrl: this.#purchaseUrl,
    };
    const error = new ApiError('credits_exhausted', exhaustedMessage(exhaustion), {
      retryAfterSeconds: (balance.resetAt.getTime() - Date.now()) / 1000,
      beside: { ...exhaustedBody(exhaustion) },
    });
    return new Uncharged(error, reportOf(0, balance));
  }
}

function reportOf(charged: number, balance: Balance): CreditReport {
  return { charged, limit: balance.limit, remaining: balance.remaining, resetAt: balance.resetAt };
}

function unavailable({ cause }: Unavailable, report: CreditReport): Uncharged {
  const message =
    'Metering is temporarily unavailable. The request was not processed and no credits were ' +
    'charged.';
  return new Uncharged(new ApiError('unavailable', message, {}, { cause }), report);
}

/** The credit ledger as the pipeline uses it: hold before a call, charge after it (spec §8). */
import { randomUUID } from 'node:crypto';
import { type Principal, unauthorized } from '@vcds/credentials';
import {
  type Balance,
  type CreditReport,
  exhaustedBody,
  exhaustedMessage,
  type Ledger,
  type Operation,
  PLANS,
  type Quote,
  type QuoteInput,
  type RateCardEntry,
  RedisUnavailable,
  type Unavailable,
} from '@vcds/metering';
import { ApiError } from '@vcds/service-kit';
import type { MeterMeasures } from './measures.ts';
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
  settle(records: number): Promise<CreditReport | undefined>;
  /** Gives everything back; the balance then, if it is to be had. */
  release(): Promise<CreditReport | undefined>;
}

export interface MeterOptions {
  readonly ledger: Ledger;
  /** Where more credits are bought. */
  readonly purchaseUrl: string;
  readonly measures: MeterMeasures;
}

export class Meter {
  readonly #ledger: Ledger;
  readonly #purchaseUrl: string;
  readonly #measures: MeterMeasures;

  constructor({ ledger, purchaseUrl, measures }: MeterOptions) {
    this.#ledger = ledger;
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
        return this.#hold(operation, quote, reservation.balance);
      case 'exhausted':
        throw this.#exhausted(call, reservation.balance);
      case 'revoked':
        throw new Uncharged(unauthorized('revoked'));
      case 'finished':
        throw new Error('A fresh operation id was already used.');
      case 'unavailable':
        throw unavailable(reservation);
    }
  }

  /** The balance for the headers of an answer that cost nothing; undefined when not to be had. */
  async report(principal: Principal): Promise<CreditReport | undefined> {
    const limit = PLANS[principal.plan].creditsPerMonth;
    const answer = await this.#ledger.balance(principal.accountId, limit);
    return answer.status === 'known' ? reportOf(0, answer.balance) : undefined;
  }

  #free(principal: Principal): Hold {
    return {
      settle: () => this.report(principal),
      release: () => this.report(principal),
    };
  }

  #hold(operation: Operation, quote: Quote, held: Balance): Hold {
    return {
      settle: async (records) => {
        const price = quote.settle(records);
        const settlement = await this.#ledger.settle(operation, price);
        this.#measures.settled(settlement, quote.ceiling);
        if (settlement.status === 'settled') {
          return reportOf(settlement.charged, settlement.balance);
        }
        // Sent and not answered: it may be charged already, or once Redis goes on. What may be
        // paid for is served, or an error might cost something; the balance is as last heard.
        if (settlement.cause instanceof RedisUnavailable && settlement.cause.isUncertain) {
          return { ...reportOf(price, held), remaining: held.remaining + quote.ceiling - price };
        }
        throw unavailable(settlement);
      },
      release: async () => {
        const settlement = await this.#ledger.release(operation);
        this.#measures.settled(settlement, quote.ceiling);
        return settlement.status === 'settled' ? reportOf(0, settlement.balance) : undefined;
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

function unavailable({ cause }: Unavailable): Uncharged {
  return new Uncharged(
    new ApiError(
      'unavailable',
      'Usage cannot be metered just now, so the call was not served; it cost nothing.',
      {},
      { cause },
    ),
  );
}

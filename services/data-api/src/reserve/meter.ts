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
  type Unavailable,
} from '@vcds/metering';
import { ApiError } from '@vcds/service-kit';

/** A priced call of a known caller. */
export interface PricedCall {
  readonly principal: Principal;
  readonly rate: RateCardEntry;
  readonly quote: Quote;
  readonly input: QuoteInput;
}

/** Credits set aside for one call. Settled or released exactly once. */
export interface Hold {
  /** Charges what the records cost. */
  settle(records: number): Promise<CreditReport | undefined>;
  /** Gives everything back; never throws. */
  release(): Promise<void>;
}

export class Meter {
  readonly #ledger: Ledger;
  readonly #purchaseUrl: string;

  constructor(ledger: Ledger, purchaseUrl: string) {
    this.#ledger = ledger;
    this.#purchaseUrl = purchaseUrl;
  }

  /**
   * Holds the ceiling of a call; a free call holds nothing and asks nothing but the balance.
   *
   * @throws ApiError `credits_exhausted`, `unauthorized` for a key revoked meanwhile,
   *   `unavailable` when the ledger is out of reach (never open).
   */
  async reserve(call: PricedCall): Promise<Hold> {
    const { principal, rate, quote } = call;
    if (quote.ceiling === 0) {
      return { settle: () => this.report(principal), release: async () => {} };
    }
    const operation = { account: principal.accountId, op: randomUUID() };
    const reservation = await this.#ledger.reserve({
      ...operation,
      keyId: principal.keyId,
      endpoint: rate.path,
      max: quote.ceiling,
      limit: PLANS[principal.plan].creditsPerMonth,
    });
    switch (reservation.status) {
      case 'held':
        return this.#hold(operation, quote);
      case 'exhausted':
        throw this.#exhausted(call, reservation.balance);
      case 'revoked':
        throw unauthorized('revoked');
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

  #hold(operation: Operation, quote: Quote): Hold {
    return {
      settle: async (records) => {
        const settlement = await this.#ledger.settle(operation, quote.settle(records));
        if (settlement.status === 'unavailable') throw unavailable(settlement);
        return reportOf(settlement.charged, settlement.balance);
      },
      release: async () => {
        await this.#ledger.release(operation);
      },
    };
  }

  #exhausted({ principal, rate, quote, input }: PricedCall, balance: Balance): ApiError {
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
  return new ApiError(
    'unavailable',
    'Usage cannot be metered just now, so the call was not served; it cost nothing.',
    {},
    { cause },
  );
}

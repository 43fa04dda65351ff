import type { PlanId } from '@vcds/credentials';
import { type Balance, creditHeaders, type Ledger, PLANS } from '@vcds/metering';
import { ApiError } from '@vcds/service-kit';
import type { Response } from 'express';

/** The credits object of responses. */
export interface CreditsBody {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: string;
}

export function creditsBody({ limit, remaining, resetAt }: Balance): CreditsBody {
  return { limit, remaining, reset: resetAt.toISOString() };
}

/** The balance of an account on a plan. @throws ApiError `unavailable` without an answer. */
export async function readBalance(
  ledger: Pick<Ledger, 'balance'>,
  accountId: string,
  plan: PlanId,
): Promise<Balance> {
  const answer = await ledger.balance(accountId, PLANS[plan].creditsPerMonth);
  if (answer.status === 'known') return answer.balance;
  const message = 'Balances are temporarily unavailable. Retry later.';
  throw new ApiError('unavailable', message, {}, { cause: answer.cause });
}

/** Sets the credit headers of an authenticated response without a charge. */
export function setFreeCallHeaders(response: Response, balance: Balance): void {
  const { limit, remaining, resetAt } = balance;
  const headers = creditHeaders({ charged: 0, limit, remaining, resetAt });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

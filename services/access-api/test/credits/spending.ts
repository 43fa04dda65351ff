import { randomUUID } from 'node:crypto';
import type { Balance, Ledger } from '@vcds/metering';

/** A call of /funds that costs so much, by an account on a plan of so many credits. */
export interface Spending {
  readonly account: string;
  readonly keyId: string;
  readonly amount: number;
  readonly limit: number;
  readonly requestId?: string;
}

/** Charges a call as data-api would; what the account then has, or that it has too little. */
export async function charge(
  ledger: Ledger,
  { account, keyId, amount, limit, requestId = 'request-1' }: Spending,
): Promise<Balance | string> {
  const call = { account, op: randomUUID() };
  const held = await ledger.reserve({
    ...call,
    keyId,
    endpoint: '/funds',
    requestId,
    max: amount,
    limit,
  });
  if (held.status !== 'held') return held.status;
  const paid = await ledger.settle(call, amount);
  return paid.status === 'settled' ? paid.balance : paid.status;
}

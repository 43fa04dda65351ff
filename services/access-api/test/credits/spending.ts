import { randomUUID } from 'node:crypto';
import { bucketOfAccount } from '@vcds/credentials';
import type { Balance, Ledger, LedgerEntry } from '@vcds/metering';

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

/** Where accounts fall that a test draws no bucket for, so that they meet no test that does. */
const UNUSED_BUCKET = 10;

/** A charge of 1 credit by a new account of bucket 10, but for what is said otherwise. */
export function aCharge(differs: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    op: randomUUID(),
    // Looked for only if needed: it takes some hundred hashes.
    account: differs.account ?? accountsIn(UNUSED_BUCKET, 1)[0] ?? '',
    keyId: randomUUID(),
    endpoint: '/startups',
    requestId: randomUUID(),
    period: 202603,
    charged: 1,
    purchased: 0,
    seq: 1,
    bucketSeq: 1,
    chargedAt: new Date('2026-03-10T12:00:00.123Z'),
    ...differs,
  };
}

/** Ids by bucket that {@link accountsIn} has drawn and not given out. */
const drawn = new Map<number, string[]>();

/** The ids of new accounts that fall into one bucket. */
export function accountsIn(bucket: number, count: number): string[] {
  while ((drawn.get(bucket)?.length ?? 0) < count) {
    const id = randomUUID();
    const of = bucketOfAccount(id);
    drawn.set(of, [...(drawn.get(of) ?? []), id]);
  }
  return drawn.get(bucket)?.splice(0, count) ?? [];
}

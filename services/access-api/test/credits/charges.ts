import { randomUUID } from 'node:crypto';
import { bucketOfAccount } from '@vcds/credentials';
import type { LedgerEntry } from '@vcds/metering';

/** Where accounts fall that a test draws no bucket for, so that they meet no test that does. */
const UNUSED_BUCKET = 10;

/** A charge of 1 credit by a new account of bucket 10, but for what is said otherwise. */
export function aCharge(differs: Partial<LedgerEntry> = {}): LedgerEntry {
  const [account = ''] = accountsIn(UNUSED_BUCKET, 1);
  return {
    op: randomUUID(),
    account,
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

/** The ids of new accounts that fall into one bucket. */
export function accountsIn(bucket: number, count: number): string[] {
  const found: string[] = [];
  while (found.length < count) {
    const id = randomUUID();
    if (bucketOfAccount(id) === bucket) found.push(id);
  }
  return found;
}

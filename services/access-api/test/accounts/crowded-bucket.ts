import { randomUUID } from 'node:crypto';
import { bucketOfAccount } from '@vcds/credentials';
import { grantCredits } from '../../src/accounts/purchase.ts';
import type { Access } from '../access.ts';

/** The bucket in which `crowd` writes. */
export const BUSY_BUCKET = 7;

/** Journals changes of accounts, their keys and some purchases, mixed, all in one bucket. */
export async function crowd(access: Access): Promise<{ accounts: number; keys: number }> {
  const { dying } = access;
  const first = idInCrowd();
  await dying.create({ id: first, plan: 'growth' });
  for (let i = 0; i < 24; i++) {
    if (i % 3 !== 1) await dying.issueKey({ accountId: first, origin: 'operator' });
    if (i % 3 === 0) continue;
    const id = idInCrowd();
    await dying.create({ id, plan: 'free' });
    if (i % 4 === 0) {
      await grantCredits(access, { operationId: id, accountId: id, credits: i + 1 });
    }
  }
  return { accounts: 17, keys: 16 };
}

function idInCrowd(): string {
  for (;;) {
    const id = randomUUID();
    if (bucketOfAccount(id) === BUSY_BUCKET) return id;
  }
}

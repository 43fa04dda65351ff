import { randomBytes, randomUUID } from 'node:crypto';
import { bucketOfAccount, parseDigest } from '@vcds/credentials';
import { grantCredits } from '../../src/credits/purchases.ts';
import { createAccount, issueKey, type NewKey } from '../../src/store/journal.ts';
import type { Access } from '../access.ts';

/** The bucket in which `crowd` writes. */
export const BUSY_BUCKET = 7;

/** Journals changes of accounts, some with purchases, and of owners, mixed, all in one bucket. */
export async function crowd(access: Access): Promise<{ accounts: number; keys: number }> {
  const { accounts, journal } = access;
  const accountId = await accounts.create({ plan: 'growth' });
  for (let i = 0; i < 24; i++) {
    if (i % 3 !== 1) await journal.commit((tx, at) => issueKey(tx, newKey(accountId), at));
    if (i % 3 !== 0) {
      const id = idInCrowd();
      const account = { id, email: null, name: null, plan: 'free' } as const;
      await journal.commit((tx, at) => createAccount(tx, account, at));
      const purchase = { operationId: id, accountId: id, credits: i + 1 };
      if (i % 4 === 0) await grantCredits(access, purchase);
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

/** A key whose digest is in the busy bucket. */
function newKey(accountId: string): NewKey {
  const digest = parseDigest(`07${randomBytes(31).toString('hex')}`);
  if (digest === undefined) throw new Error('no digest');
  const rest = { hint: 'x', label: null, scopes: null, expiresAt: null };
  return { id: randomUUID(), accountId, digest, origin: 'operator', ...rest };
}

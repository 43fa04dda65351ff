import type { History } from './history.ts';
import type { Recorded } from './journal.ts';
import type { KeyStore } from './key-store.ts';
import { reconcileBucket } from './reconcile.ts';

/**
 * Applies a committed change to Redis, with any earlier change of its buckets that is missing
 * there. The change is in effect when this resolves.
 *
 * @throws Error if Redis is ahead of the journal and would ignore the change, or as the store does.
 *   The change stays recorded, and access-api applies it later.
 */
export async function bringToRedis(
  { history, store }: { readonly history: History; readonly store: KeyStore },
  { account, owner }: Recorded,
): Promise<void> {
  const behind = new Map<number, number>();
  if (owner !== undefined) {
    const reached = await store.applyOwner(owner, owner.position - 1);
    if (reached < owner.position) behind.set(owner.bucket, reached);
  }
  await store.applyPurchases(account);
  const { applied, bucketPosition } = await store.applyAccount(account, account.position - 1);
  if (applied > account.position) await assertNotAhead(history, account.accountId, applied);
  if (bucketPosition < account.position) behind.set(account.bucket, bucketPosition);
  for (const [bucket, from] of behind) {
    const to = (await history.positions())[bucket] ?? 0;
    await reconcileBucket(history, store, bucket, { from, to });
  }
}

// A higher position in Redis is a later change, which the journal must have too.
async function assertNotAhead(history: History, accountId: string, applied: number): Promise<void> {
  const { position } = await history.snapshot(accountId);
  if (position >= applied) return;
  throw new Error('Redis is ahead of the journal; run `npm run admin -- rebuild` first.');
}

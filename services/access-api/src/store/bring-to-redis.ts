import type { History } from './history.ts';
import type { Recorded } from './journal.ts';
import type { KeyStore } from './key-store.ts';
import { reconcileBucket } from './reconcile.ts';

/**
 * Brings a committed change to Redis (docs/spec/authentication.md 2.6), with whatever earlier
 * change of its buckets never arrived. It is in force when this resolves.
 *
 * @throws Error when Redis is ahead of the journal and would swallow the change; whatever the
 *   store rejects with. The change stays recorded, and access-api brings it into force by itself.
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

// Further on than this change: another change overtook it, which the journal then holds too.
async function assertNotAhead(history: History, accountId: string, applied: number): Promise<void> {
  const { position } = await history.snapshot(accountId);
  if (position >= applied) return;
  throw new Error('Redis is ahead of the journal; run `npm run admin -- rebuild` first.');
}

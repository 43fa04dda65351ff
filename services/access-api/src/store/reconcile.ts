import type { History } from '../journal/history.ts';
import type { KeyStore } from './key-store.ts';

/** What a reconciliation brought over. */
export interface Reconciled {
  readonly accounts: number;
  readonly keys: number;
  /** The bucket's position now. */
  readonly position: number;
}

/**
 * Brings one bucket in Redis up to the journal. Safe beside writers and beside itself: each write
 * carries its position, and an older one never replaces a newer. The position moves last, so a
 * crash on the way leaves the bucket behind, to be done again.
 */
export async function reconcileBucket(
  history: History,
  store: KeyStore,
  bucket: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Reconciled> {
  let accounts = 0;
  let keys = 0;
  for await (const page of history.ownersAfter(bucket, from)) {
    await Promise.all(page.map((owner) => store.applyOwner(owner)));
    keys += page.length;
  }
  for await (const page of history.accountsAfter(bucket, from)) {
    await Promise.all(page.map((snapshot) => store.applyAccount(snapshot)));
    accounts += page.length;
  }
  return { accounts, keys, position: await store.advance(bucket, to) };
}

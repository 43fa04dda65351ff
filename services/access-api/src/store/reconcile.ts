import type { History } from '../journal/history.ts';
import type { KeyStore } from './key-store.ts';

/** What a reconciliation brought over. */
export interface Reconciled {
  readonly accounts: number;
  readonly keys: number;
  /** The bucket's position now; below `to` if Redis lost something meanwhile. */
  readonly position: number;
}

/**
 * Brings one bucket in Redis from position `from` up to the journal's, `to`, in the journal's
 * order. Safe beside writers and beside itself: an older state never replaces a newer one, and
 * the position rises only over what is there.
 */
export async function reconcileBucket(
  history: History,
  store: KeyStore,
  bucket: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Reconciled> {
  let accounts = 0;
  let keys = 0;
  let previous = from;
  for await (const page of history.changesAfter(bucket, from)) {
    // Sent in order over one connection, so carried out in order.
    await Promise.all(
      page.map((change) => {
        const follows = previous;
        previous = change.position;
        return 'digest' in change
          ? store.applyOwner(change, follows)
          : store.applyAccount(change, follows);
      }),
    );
    const owners = page.filter((change) => 'digest' in change).length;
    keys += owners;
    accounts += page.length - owners;
  }
  return { accounts, keys, position: await store.advance(bucket, previous, to) };
}

/** A bucket to be brought from one position to another. */
export interface BucketBehind {
  readonly bucket: number;
  readonly from: number;
  readonly to: number;
}

const AT_ONCE = 8;

/** Reconciles many buckets, a few at a time; `onDone` hears of each. */
export async function reconcileBuckets(
  history: History,
  store: KeyStore,
  buckets: readonly BucketBehind[],
  onDone: (done: Reconciled) => void,
): Promise<void> {
  const waiting = [...buckets];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      onDone(await reconcileBucket(history, store, next.bucket, next));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

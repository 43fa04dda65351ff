import type { Change, History } from './history.ts';
import type { KeyStore } from './key-store.ts';
import type { AccountSnapshot } from './snapshot.ts';

/** What a reconciliation brought over. */
export interface Reconciled {
  readonly accounts: number;
  readonly keys: number;
}

// Redis may lose something while it is brought up: then once more, from where it is.
const PASSES_MAX = 3;

/**
 * Brings one bucket in Redis from position `from` up to `to`, which the journal had come to before
 * this was called, in the journal's order. Safe beside writers and beside itself: an older state
 * never replaces a newer one, and the position rises only over what is there.
 *
 * @throws Error when Redis keeps losing what it is given.
 */
export async function reconcileBucket(
  history: History,
  store: KeyStore,
  bucket: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Reconciled> {
  let accounts = 0;
  let keys = 0;
  let position = from;
  for (let pass = 0; position < to; pass++) {
    if (pass === PASSES_MAX) throw new Error(`Redis keeps losing parts of bucket ${bucket}.`);
    let previous = position;
    for await (const page of history.changesAfter(bucket, position)) {
      const snapshots = page.filter(isSnapshot);
      await Promise.all(snapshots.map((snapshot) => store.applyPurchases(snapshot)));
      // Nothing is awaited between the changes: they are sent in order over one connection, so
      // carried out in order, each finding the position at the one before it.
      await Promise.all(
        page.map((change) => {
          // Beyond `to` something may be missing still: it is applied, and moves no position.
          const follows = change.position > to ? change.position : previous;
          if (change.position <= to) previous = change.position;
          return isSnapshot(change)
            ? store.applyAccount(change, follows)
            : store.applyOwner(change, follows);
        }),
      );
      accounts += snapshots.length;
      keys += page.length - snapshots.length;
    }
    position = await store.advance(bucket, previous, to);
  }
  return { accounts, keys };
}

function isSnapshot(change: Change): change is AccountSnapshot {
  return 'plan' in change;
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

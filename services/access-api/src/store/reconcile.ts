import { isScriptError } from '@vcds/metering/redis';
import { type Clock, type Logger, primariesOf, type RedisClient } from '@vcds/service-kit';
import type { Redis } from 'ioredis';
import type { Change, History } from './history.ts';
import { createKeyStore, type KeyStore } from './key-store.ts';
import type { AccountSnapshot } from './snapshot.ts';

/** The numbers of changes that a reconciliation applied. */
interface Reconciled {
  readonly accounts: number;
  readonly keys: number;
}

// Redis may lose changes during a pass; the next one starts from its position.
const PASSES_MAX = 3;

/**
 * Applies the changes of a bucket from position `from` to `to`, a position that the journal has
 * already, in the journal's order. Safe to run concurrently with writers and with itself: an older
 * state never replaces a newer one, and the position only passes changes that are applied.
 *
 * An account that cannot be applied is removed from Redis, so that the journal is asked about its keys,
 * and logged; it stops no other one.
 *
 * @throws Error if Redis loses changes in every pass.
 */
export async function reconcileBucket(
  history: History,
  store: KeyStore,
  bucket: number,
  { from, to }: { readonly from: number; readonly to: number },
  logger?: Logger,
): Promise<Reconciled> {
  const skipped = new Map<string, unknown>();
  let accounts = 0;
  let keys = 0;
  let position = from;
  for (let pass = 0; position < to; pass++) {
    if (pass === PASSES_MAX) throw new Error(`Redis keeps losing parts of bucket ${bucket}.`);
    let previous = position;
    for await (const page of history.changesAfter(bucket, position)) {
      const snapshots = page.filter(isSnapshot);
      await Promise.all(
        snapshots.map((snapshot) =>
          store.applyPurchases(snapshot).catch(skipIfInvalid(skipped, snapshot.accountId)),
        ),
      );
      // No await between the changes: one connection executes them in order, so that each finds the
      // position of the one before.
      await Promise.all(
        page.map((change) => {
          // Changes beyond `to` may be incomplete: they are applied but move no position.
          const follows = change.position > to ? change.position : previous;
          if (change.position <= to) previous = change.position;
          if ('digest' in change) return store.applyOwner(change, follows);
          const { accountId } = change;
          if ('error' in change) skipped.set(accountId, change.error);
          if (isSnapshot(change) && !skipped.has(accountId)) {
            return store.applyAccount(change, follows).catch(skipIfInvalid(skipped, accountId));
          }
          return Promise.all([
            store.remove(accountId),
            store.advance(bucket, follows, change.position),
          ]);
        }),
      );
      accounts += snapshots.length;
      keys += page.filter((change) => 'digest' in change).length;
    }
    position = await store.advance(bucket, previous, to);
  }
  for (const [accountId, error] of skipped) {
    logger?.error(
      { accountId, error },
      'an account cannot be applied to Redis; it is left to the journal',
    );
  }
  return { accounts, keys };
}

// Of this account alone; an unavailable Redis concerns all.
function skipIfInvalid(skipped: Map<string, unknown>, accountId: string) {
  return (error: unknown): void => {
    if (!isScriptError(error)) throw error;
    skipped.set(accountId, error);
  };
}

function isSnapshot(change: Change): change is AccountSnapshot {
  return 'plan' in change;
}

/** A bucket to reconcile from one position to another. */
export interface BucketBehind {
  readonly bucket: number;
  readonly from: number;
  readonly to: number;
}

const CONCURRENCY = 8;

/** Reconciles buckets, 8 concurrently, and calls `onDone` after each. */
export async function reconcileBuckets(
  history: History,
  store: KeyStore,
  buckets: readonly BucketBehind[],
  onDone: (done: Reconciled) => void,
  logger?: Logger,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = [...buckets];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // A failure does not keep the other buckets from being reconciled.
      try {
        onDone(await reconcileBucket(history, store, next.bucket, next, logger));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length > 0) throw failures[0];
}

// Everything of accounts and keys that this service stores in Redis, without balances.
const PATTERNS = ['owner:*', 'account:*', 'keys:*', 'revoked:*', 'position'].map(
  (name) => `{m:??}:${name}`,
);
const SCAN_COUNT = 1_000;

/**
 * Replaces the accounts and keys in Redis by those of the journal. Meanwhile a running access-api
 * finds buckets behind and reconciles them itself, so that it rejects no valid key.
 */
export async function rebuild(
  redis: RedisClient,
  history: History,
  clock: Clock,
  onProgress: (bucketsDone: number) => void = () => undefined,
): Promise<Reconciled> {
  const store = createKeyStore(redis, clock);
  for (const node of primariesOf(redis)) {
    for (const pattern of PATTERNS) await unlinkAll(node, pattern);
  }
  const positions = await history.positions();
  const buckets = positions.map((to, bucket) => ({ bucket, from: 0, to }));
  let rebuilt: Reconciled = { accounts: 0, keys: 0 };
  let bucketsDone = 0;
  await reconcileBuckets(history, store, buckets, ({ accounts, keys }) => {
    rebuilt = { accounts: rebuilt.accounts + accounts, keys: rebuilt.keys + keys };
    bucketsDone += 1;
    onProgress(bucketsDone);
  });
  return rebuilt;
}

async function unlinkAll(node: Redis, pattern: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, found] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
    // One key per command: a command may not contain keys of different slots.
    await Promise.all(found.map((key) => node.unlink(key)));
    cursor = next;
  } while (cursor !== '0');
}

import type { Clock, RedisClient } from '@vcds/service-kit';
import { type Database, openDatabase } from './database.ts';
import { createHistory, type History } from './history.ts';
import { createJournal, type Journal, type Recorded } from './journal.ts';
import { createKeyStore, type KeyStore } from './key-store.ts';
import { reconcileBucket } from './reconcile.ts';

/** Accounts and keys: the journal in PostgreSQL, its history, and their copy in Redis. */
export interface Stores {
  readonly database: Database;
  readonly journal: Journal;
  readonly history: History;
  readonly store: KeyStore;
  readonly clock: Clock;
}

/** Opens the stores; PostgreSQL is connected on first use. The caller closes `database`. */
export function openStores(databaseUrl: string, redis: RedisClient, clock: Clock): Stores {
  const database = openDatabase(databaseUrl);
  const history = createHistory(database, clock);
  const store = createKeyStore(redis, clock);
  const mirror = (recorded: Recorded): Promise<void> => bringToRedis({ history, store }, recorded);
  const { announce } = store;
  const journal = createJournal({ database, clock, mirror, announce });
  return { database, journal, history, store, clock };
}

/**
 * Applies a committed change to Redis, with any earlier change of its buckets that is missing
 * there. The change is in effect when this resolves.
 *
 * @throws Error if Redis is ahead of the journal and would ignore the change, or as the store does.
 *   The change stays recorded, and access-api applies it later.
 */
async function bringToRedis(
  { history, store }: Pick<Stores, 'history' | 'store'>,
  { account, since, keys, owner }: Recorded,
): Promise<void> {
  const behind = new Map<number, number>();
  if (owner !== undefined) {
    const reached = await store.applyOwner(owner, owner.position - 1);
    if (reached < owner.position) behind.set(owner.bucket, reached);
  }
  await store.applyPurchases(account);
  const { applied, bucketPosition } = await store.applyKeys(account, since, keys);
  if (applied === undefined) {
    const snapshot = await history.snapshot(account.accountId);
    await store.applyAccount(snapshot, snapshot.position - 1);
  } else if (applied > account.position) {
    await assertNotAhead(history, account.accountId, applied);
  }
  if (bucketPosition < account.position) behind.set(account.bucket, bucketPosition);
  await store.endOwners(keys);
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

import type { Clock, RedisClient } from '@vcds/service-kit';
import { type Database, openDatabase } from './database.ts';
import { createHistory, type History } from './history.ts';
import { createJournal, type Journal, type Recorded } from './journal.ts';
import { createMirror, type Mirror } from './mirror.ts';
import { type Copies, reconcileBucket } from './reconcile.ts';

/** Accounts and keys: the journal in PostgreSQL, how it is read, and its copy in Redis. */
export interface Stores {
  readonly database: Database;
  readonly journal: Journal;
  readonly history: History;
  readonly mirror: Mirror;
  readonly clock: Clock;
}

/** Opens the stores; PostgreSQL is connected on first use. The caller closes `database`. */
export function openStores(databaseUrl: string, redis: RedisClient, clock: Clock): Stores {
  const database = openDatabase(databaseUrl);
  const history = createHistory(database, clock);
  const mirror = createMirror(redis, clock);
  const journal = createJournal({
    ...{ database, clock, announce: mirror.announce },
    mirror: (recorded) => mirrorChange({ history, mirror }, recorded),
  });
  return { database, journal, history, mirror, clock };
}

/**
 * The second step of a change: applies it to Redis, with any earlier change of its bucket that is
 * missing there.
 *
 * @throws Error if Redis is ahead of the journal and would ignore the change, or does not respond.
 *   The change stays recorded, and access-api applies it later.
 */
async function mirrorChange(copies: Copies, { account, ...change }: Recorded): Promise<void> {
  const { history, mirror } = copies;
  const { accountId, bucket, position } = account;
  await mirror.prepare(account, change.keys);
  const { applied, bucketPosition } = await mirror.applyKeys(account, change);
  if (applied < position) {
    const snapshot = await history.snapshot(accountId);
    await mirror.prepare(snapshot, snapshot.keys);
    await mirror.applyAccount(snapshot, snapshot.position - 1);
  } else if (applied > position) {
    await assertNotAhead(history, accountId, applied);
  }
  if (bucketPosition >= position) return;
  const to = (await history.positions())[bucket] ?? 0;
  await reconcileBucket(copies, { bucket, from: bucketPosition, to });
}

// A higher position in Redis is a later change, which the journal must have too.
async function assertNotAhead(history: History, accountId: string, applied: number): Promise<void> {
  const { position } = await history.snapshot(accountId);
  if (position >= applied) return;
  throw new Error('Redis is ahead of the journal; run `npm run admin -- rebuild` first.');
}

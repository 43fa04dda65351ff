import { isScriptError } from '@vcds/metering/redis';
import { type Logger, primariesOf, type RedisClient } from '@vcds/service-kit';
import type { Redis } from 'ioredis';
import type { History } from './history.ts';
import type { Mirror } from './mirror.ts';

/** The numbers of accounts and keys that a reconciliation applied. */
export interface Reconciled {
  readonly accounts: number;
  readonly keys: number;
}

/** A bucket whose changes after position `from`, to `to`, are missing in Redis. */
export interface BucketBehind {
  readonly bucket: number;
  readonly from: number;
  /** A position that the journal has already. */
  readonly to: number;
}

/** The journal, and its copy in Redis. */
export interface Copies {
  readonly history: History;
  readonly mirror: Mirror;
}

// Redis may lose changes during a pass; the next one starts from its position.
const PASSES_MAX = 3;
const CONCURRENCY = 8;

/**
 * Applies the changes of a bucket, in the journal's order. Safe to run concurrently with writers and
 * with itself: an older state never replaces a newer one, and the position only passes changes that
 * are applied.
 *
 * An account that cannot be applied is removed from Redis, so that the journal is asked about its keys,
 * and logged; it stops no other one.
 *
 * @throws Error if Redis loses changes in every pass.
 */
export async function reconcileBucket(
  { history, mirror }: Copies,
  { bucket, from, to }: BucketBehind,
  logger?: Logger,
): Promise<Reconciled> {
  const skipped = new Map<string, unknown>();
  // Of this account alone; an unavailable Redis concerns all.
  const skip = (accountId: string) => (error: unknown) => {
    if (!isScriptError(error)) throw error;
    skipped.set(accountId, error);
  };
  const total = { accounts: 0, keys: 0 };
  let position = from;
  for (let pass = 0; position < to; pass++) {
    if (pass === PASSES_MAX) throw new Error(`Redis keeps losing parts of bucket ${bucket}.`);
    let previous = position;
    for await (const page of history.changesAfter(bucket, position)) {
      const snapshots = page.filter((change) => 'plan' in change);
      await Promise.all(
        snapshots.map((each) => mirror.prepare(each, each.keys).catch(skip(each.accountId))),
      );
      // No await between the changes: one connection executes them in order, so that each finds the
      // position of the one before.
      await Promise.all(
        page.map((change) => {
          const { accountId } = change;
          // Changes beyond `to` may be incomplete: they are applied but move no position.
          const follows = change.position > to ? change.position : previous;
          if (change.position <= to) previous = change.position;
          if ('error' in change) skipped.set(accountId, change.error);
          else if (!skipped.has(accountId)) {
            return mirror.applyAccount(change, follows).catch(skip(accountId));
          }
          const removed = mirror.remove(accountId);
          return Promise.all([removed, mirror.advance(bucket, follows, change.position)]);
        }),
      );
      total.accounts += snapshots.length;
      total.keys += snapshots.reduce((sum, { keys }) => sum + keys.length, 0);
    }
    position = await mirror.advance(bucket, previous, to);
  }
  for (const [accountId, error] of skipped) {
    const line = { accountId, error };
    logger?.error(line, 'an account cannot be applied to Redis; it is left to the journal');
  }
  return total;
}

/**
 * Reconciles buckets, 8 concurrently, and calls `onDone` after each. A failure does not keep the
 * other buckets from being reconciled.
 */
export async function reconcileBuckets(
  copies: Copies,
  buckets: readonly BucketBehind[],
  { onDone, logger }: { readonly onDone?: (done: number) => void; readonly logger?: Logger } = {},
): Promise<Reconciled> {
  const failures: unknown[] = [];
  const waiting = [...buckets];
  const total = { accounts: 0, keys: 0 };
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        const { accounts, keys } = await reconcileBucket(copies, next, logger);
        total.accounts += accounts;
        total.keys += keys;
        done += 1;
        onDone?.(done);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length > 0) throw failures[0];
  return total;
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
  copies: Copies,
  onDone?: (bucketsDone: number) => void,
): Promise<Reconciled> {
  for (const node of primariesOf(redis)) {
    for (const pattern of PATTERNS) await unlinkAll(node, pattern);
  }
  const positions = await copies.history.positions();
  const buckets = positions.map((to, bucket) => ({ bucket, from: 0, to }));
  return reconcileBuckets(copies, buckets, onDone && { onDone });
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

import { BUCKETS, type KeyCheck, type KeyDigest } from '@vcds/credentials';
import { ApiError, type Logger } from '@vcds/service-kit';
import type { History } from './history.ts';
import type { KeyStore } from './key-store.ts';
import { type BucketBehind, reconcileBucket, reconcileBuckets } from './reconcile.ts';

// A look-up may find the digest's bucket behind, then the account's, then be done.
const LOOKUPS_MAX = 4;

/** What a look over all buckets found and mended. */
export interface Audit {
  readonly bucketsBehind: number;
  readonly accounts: number;
  readonly keys: number;
}

/**
 * Answers key checks from Redis, and only from a Redis known to hold what the journal holds
 *. It remembers the furthest position it has seen of each bucket; a bucket that
 * shows a lower one has lost something and is brought up from the journal before it answers.
 */
export interface Keeper {
  /** Compares every bucket with the journal and brings up those that are behind. One at a time. */
  audit(): Promise<Audit>;
  /** Until the next audit succeeds, no check is answered: Redis may have been replaced. */
  distrust(): void;
  readonly isTrusted: boolean;
  /** @throws ApiError `unavailable` while Redis cannot be trusted. */
  check(digest: KeyDigest): Promise<KeyCheck>;
}

export interface KeeperOptions {
  readonly history: History;
  readonly store: KeyStore;
  readonly logger: Logger;
}

export function createKeeper({ history, store, logger }: KeeperOptions): Keeper {
  const seen = new Array<number>(BUCKETS).fill(0);
  const mending = new Map<number, Promise<void>>();
  let trusted = false;
  let generation = 0;
  let auditing: Promise<Audit> | undefined;

  const see = (bucket: number, position: number): void => {
    seen[bucket] = Math.max(seen[bucket] ?? 0, position);
  };

  // The journal decides: if it has less than was seen before it was asked, it has been set back.
  const learn = (bucket: number, journaled: number, seenBefore: number): void => {
    if (journaled < seenBefore) seen[bucket] = journaled;
    else see(bucket, journaled);
  };

  const runAudit = async (): Promise<Audit> => {
    const startedIn = generation;
    // Redis first: whatever it holds by then is in the journal by the time that is read.
    const stored = await store.positions();
    const seenBefore = [...seen];
    const journaled = await history.positions();
    const behind: BucketBehind[] = [];
    for (const [bucket, to] of journaled.entries()) {
      const from = stored[bucket] ?? 0;
      if (from > to) warnAhead(logger, bucket, from, to);
      learn(bucket, to, seenBefore[bucket] ?? 0);
      if (from < to) behind.push({ bucket, from, to });
    }
    let total: Audit = { bucketsBehind: behind.length, accounts: 0, keys: 0 };
    await reconcileBuckets(history, store, behind, ({ accounts, keys }) => {
      total = { ...total, accounts: total.accounts + accounts, keys: total.keys + keys };
    });
    if (total.bucketsBehind > 0) logger.warn(total, 'brought Redis up to the journal');
    if (startedIn === generation) trusted = true;
    return total;
  };

  const mend = async (bucket: number, from: number): Promise<void> => {
    const seenBefore = seen[bucket] ?? 0;
    const to = (await history.positions())[bucket] ?? 0;
    learn(bucket, to, seenBefore);
    const done = await reconcileBucket(history, store, bucket, { from, to });
    logger.warn({ bucket, from, to, ...done }, 'brought a bucket of Redis up to the journal');
  };

  const mendOnce = (bucket: number, from: number): Promise<void> => {
    let running = mending.get(bucket);
    if (running === undefined) {
      running = mend(bucket, from).finally(() => mending.delete(bucket));
      mending.set(bucket, running);
    }
    return running;
  };

  const audit = (): Promise<Audit> => {
    auditing ??= runAudit().finally(() => {
      auditing = undefined;
    });
    return auditing;
  };

  // Undefined: some bucket had lost something; it is mended now and the look-up must be repeated.
  const lookup = async (digest: KeyDigest): Promise<KeyCheck | undefined> => {
    const { check, positions } = await store.lookup(digest);
    const behind = [...positions].filter(([bucket, at]) => at < (seen[bucket] ?? 0));
    for (const [bucket, position] of positions) see(bucket, position);
    if (behind.length === 0) return check;
    await Promise.all(behind.map(([bucket, from]) => mendOnce(bucket, from)));
    return undefined;
  };

  return {
    audit,
    distrust: () => {
      trusted = false;
      generation += 1;
    },
    get isTrusted() {
      return trusted;
    },
    check: async (digest) => {
      try {
        // Twice: the first may have been under way when trust was lost.
        if (!trusted) await audit();
        if (!trusted) await audit();
        for (let tries = 0; trusted && tries < LOOKUPS_MAX; tries++) {
          const check = await lookup(digest);
          if (check !== undefined) return check;
        }
      } catch (error) {
        throw unavailable(error);
      }
      throw unavailable(new Error('Redis does not hold what the journal holds.'));
    },
  };
}

function warnAhead(logger: Logger, bucket: number, redis: number, journal: number): void {
  logger.error(
    { bucket, redis, journal },
    'Redis is ahead of the journal: PostgreSQL has lost changes; see `npm run admin -- rebuild`',
  );
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', 'Keys cannot be checked at the moment.', {}, { cause });
}

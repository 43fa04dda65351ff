import { BUCKETS, type KeyCheck, type KeyDigest } from '@vcds/credentials';
import { ApiError, createOutageLog, type Logger, type RedisClient } from '@vcds/service-kit';
import { type Copies, type Reconciled, reconcileBucket, reconcileBuckets } from './reconcile.ts';

// A repair may find that Redis has lost changes again.
const LOOKUPS_MAX = 3;

/** The result of an audit: buckets that were behind the journal, and what was applied to them. */
export type Audit = Reconciled & { readonly bucketsBehind: number };

/**
 * Checks keys in Redis, but only while Redis is known to match the journal. It stores the highest
 * position it has observed of each bucket. A bucket with a lower position has lost changes, and is
 * reconciled with the journal before a key in it is checked.
 */
export type RedisGuard = ReturnType<typeof createRedisGuard>;

export function createRedisGuard({
  history,
  mirror,
  logger,
}: Copies & { readonly logger: Logger }) {
  const copies = { history, mirror };
  const observed = new Array<number>(BUCKETS).fill(0);
  const repairs = new Map<number, Promise<void>>();
  let isConsistent = false;
  let generation = 0;
  let auditing: Promise<Audit> | undefined;

  const observe = (bucket: number, position: number): void => {
    observed[bucket] = Math.max(observed[bucket] ?? 0, position);
  };

  // A journal below a position that was observed before it was read has been restored to an
  // earlier state: its position then replaces the observed one.
  const observeJournal = (bucket: number, position: number, observedBefore: number): void => {
    if (position < observedBefore) observed[bucket] = position;
    else observe(bucket, position);
  };

  const runAudit = async (): Promise<Audit> => {
    const startedIn = generation;
    // Redis before the journal: everything in Redis is in the journal by the time that is read.
    const stored = await mirror.positions();
    const observedBefore = [...observed];
    const journaled = await history.positions();
    const buckets = journaled.map((to, bucket) => ({ bucket, from: stored[bucket] ?? 0, to }));
    for (const { bucket, from, to } of buckets) {
      if (from > to) logAhead(logger, bucket, from, to);
      observeJournal(bucket, to, observedBefore[bucket] ?? 0);
    }
    const behind = buckets.filter(({ from, to }) => from < to);
    const done = await reconcileBuckets(copies, behind, { logger });
    const audit = { bucketsBehind: behind.length, ...done };
    if (behind.length > 0) logger.warn(audit, 'Redis reconciled with the journal');
    if (startedIn === generation) isConsistent = true;
    return audit;
  };

  const repair = async (bucket: number, from: number): Promise<void> => {
    const observedBefore = observed[bucket] ?? 0;
    const to = (await history.positions())[bucket] ?? 0;
    observeJournal(bucket, to, observedBefore);
    const done = await reconcileBucket(copies, { bucket, from, to }, logger);
    logger.warn({ bucket, from, to, ...done }, 'reconciled a bucket of Redis with the journal');
  };

  const repairOnce = (bucket: number, from: number): Promise<void> => {
    let running = repairs.get(bucket);
    if (running === undefined) {
      running = repair(bucket, from).finally(() => repairs.delete(bucket));
      repairs.set(bucket, running);
    }
    return running;
  };

  const audit = (): Promise<Audit> => {
    auditing ??= runAudit().finally(() => {
      auditing = undefined;
    });
    return auditing;
  };

  // Undefined: the bucket had lost changes and was repaired; look up again.
  const lookup = async (digest: KeyDigest): Promise<KeyCheck | undefined> => {
    const { check, read } = await mirror.lookup(digest);
    if (read === undefined) return check;
    const { bucket, position } = read;
    if (position >= (observed[bucket] ?? 0)) {
      observe(bucket, position);
      return check;
    }
    await repairOnce(bucket, position);
    return undefined;
  };

  return {
    /** Compares all buckets with the journal and reconciles those behind. One audit at a time. */
    audit,
    /** Rejects key checks until the next audit succeeds: Redis may have been replaced. */
    invalidate: (): void => {
      isConsistent = false;
      generation += 1;
    },
    get isConsistent() {
      return isConsistent;
    },
    /** @throws ApiError `unavailable` while Redis is not known to match the journal. */
    check: async (digest: KeyDigest): Promise<KeyCheck> => {
      try {
        // Two times: an audit that was already running at the invalidation does not end it.
        if (!isConsistent) await audit();
        if (!isConsistent) await audit();
        for (let tries = 0; isConsistent && tries < LOOKUPS_MAX; tries++) {
          const check = await lookup(digest);
          if (check !== undefined) return check;
        }
      } catch (error) {
        throw unavailable(error);
      }
      throw unavailable(new Error('Redis does not match the journal.'));
    },
  };
}

function logAhead(logger: Logger, bucket: number, redis: number, journal: number): void {
  logger.error(
    { bucket, redis, journal },
    'Redis is ahead of the journal: PostgreSQL has lost changes; see `npm run admin -- rebuild`',
  );
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', 'Keys are temporarily unavailable.', {}, { cause });
}

const AUDIT_EVERY_MS = 10_000;
// After a lost connection another Redis may answer: a restarted one, or a replica.
const CONNECTION_LOST = ['close', 'end', '-node', '+node', 'node error'] as const;

/**
 * Keeps Redis consistent with the journal: runs an audit when Redis is ready, on every reconnect and
 * every 10 s; invalidates the guard whenever a connection is lost.
 */
export function watchRedis(
  redis: RedisClient,
  guard: RedisGuard,
  logger: Logger,
): { stop(): void } {
  const outages = createOutageLog();
  const audit = (): void => {
    guard.audit().catch((error: unknown) => {
      outages.warn(logger, 'could not compare Redis with the journal', error);
    });
  };
  const invalidate = (): void => guard.invalidate();
  const timer = setInterval(audit, AUDIT_EVERY_MS);
  for (const event of CONNECTION_LOST) redis.on(event, invalidate);
  redis.on('ready', audit);
  if (redis.status === 'ready') audit();
  return {
    stop: () => {
      clearInterval(timer);
      for (const event of CONNECTION_LOST) redis.off(event, invalidate);
      redis.off('ready', audit);
    },
  };
}

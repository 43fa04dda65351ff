import type { LedgerPass, LedgerSyncer } from '@vcds/metering';
import { type Clock, type Logger, type RedisClient, redisReady, repeat } from '@vcds/service-kit';

const PASS_EVERY_MS = 1_000;
/** The minimum pause between two passes, so that a backlog does not use all of the stores. */
const PAUSE_MS_MIN = 50;
/** Without a pass over every bucket for this long, the worker is not ready. */
const SILENT_MS_MAX = 30_000;

interface LedgerLoopOptions {
  readonly syncer: LedgerSyncer;
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly onPass: (pass: LedgerPass, seconds: number) => void;
}

/**
 * Drains all buckets once a second, the first time immediately, so that the buckets of a new
 * installation open as soon as Redis is available. Without Redis it waits.
 */
export function runLedgerLoop(options: LedgerLoopOptions) {
  const { syncer, redis, logger, clock, onPass } = options;
  let wholeAtMs = Number.NEGATIVE_INFINITY;
  let isFailing = false;

  const pass = async (): Promise<void> => {
    const startedMs = clock.monotonicMs();
    const done = await syncer.pass();
    const endedMs = clock.monotonicMs();
    onPass(done, (endedMs - startedMs) / 1000);
    if (done.failed.length === 0) wholeAtMs = endedMs;
    if (!loop.isStopping()) report(done);
  };

  // Logs when an outage begins and ends, not every second.
  const report = ({ healed, failed, committed }: LedgerPass): void => {
    if (healed.length > 0) logger.info({ buckets: healed.length }, 'ledger buckets opened');
    const [first] = failed;
    if (first !== undefined && !isFailing) {
      const { error, bucket } = first;
      logger.error({ error, bucket, failed: failed.length }, 'could not drain ledger buckets');
    }
    if (first === undefined && isFailing)
      logger.info({ committed }, 'all ledger buckets are drained again');
    isFailing = first !== undefined;
  };

  const loop = repeat(
    async () => {
      if (await isAvailable(redis, PASS_EVERY_MS)) await pass();
    },
    { everyMs: PASS_EVERY_MS, pauseMsMin: PAUSE_MS_MIN },
  );
  return {
    /** Rejects unless every bucket was drained within the last 30 s. */
    assertCurrent: async (): Promise<void> => {
      const silentMs = clock.monotonicMs() - wholeAtMs;
      if (silentMs <= SILENT_MS_MAX) return;
      if (silentMs === Number.POSITIVE_INFINITY)
        throw new Error('No pass has drained every bucket yet.');
      throw new Error(
        `The last pass that drained every bucket was ${Math.round(silentMs / 1000)} s ago.`,
      );
    },
    /** Starts no further pass; resolves after the running one. */
    stop: loop.stop,
  };
}

async function isAvailable(redis: RedisClient, withinMs: number): Promise<boolean> {
  try {
    await redisReady(redis, withinMs);
    return true;
  } catch {
    return false;
  }
}

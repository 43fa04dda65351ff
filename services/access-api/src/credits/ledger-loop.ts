import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerPass, LedgerSyncer } from '@vcds/metering';
import { type Clock, type Logger, type RedisClient, redisReady } from '@vcds/service-kit';

const PASS_EVERY_MS = 1_000;
/** Between two passes even when one takes longer than that, so that a backlog leaves others room. */
const PAUSE_MS_MIN = 50;
/** Without a pass over every bucket for this long, the ledger is not being looked after. */
const SILENT_MS_MAX = 30_000;

/** Keeps the ledger drained and its buckets open while the worker runs. */
export interface LedgerLoop {
  /** Rejects unless every bucket was looked after within the last 30 s. */
  assertCurrent(): Promise<void>;
  /** Begins no further pass; resolves when the one under way is over. */
  stop(): Promise<void>;
}

export interface LedgerLoopOptions {
  readonly syncer: LedgerSyncer;
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly onPass: (pass: LedgerPass, seconds: number) => void;
  /** From the beginning of a pass to that of the next. Default 1,000 ms. */
  readonly everyMs?: number;
}

/**
 * Looks over all buckets once a second: the first time at once, so that a new installation's
 * buckets open as soon as Redis is there. While Redis is away it waits for it to come back.
 */
export function runLedgerLoop(options: LedgerLoopOptions): LedgerLoop {
  const { syncer, redis, logger, clock, onPass, everyMs = PASS_EVERY_MS } = options;
  const stopping = new AbortController();
  let wholeAtMs = Number.NEGATIVE_INFINITY;
  let isFailing = false;

  const pass = async (): Promise<void> => {
    const startedMs = clock.monotonicMs();
    const done = await syncer.pass();
    const endedMs = clock.monotonicMs();
    onPass(done, (endedMs - startedMs) / 1000);
    if (done.failed.length === 0) wholeAtMs = endedMs;
    if (!stopping.signal.aborted) report(done);
  };

  // Said when it begins and when it ends, not every second.
  const report = ({ healed, failed, committed }: LedgerPass): void => {
    if (healed.length > 0) logger.info({ buckets: healed.length }, 'ledger buckets opened');
    const [first] = failed;
    if (first !== undefined && !isFailing) {
      const { error, bucket } = first;
      logger.error({ error, bucket, failed: failed.length }, 'ledger buckets cannot be drained');
    }
    if (first === undefined && isFailing) logger.info({ committed }, 'ledger is drained again');
    isFailing = first !== undefined;
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const dueMs = clock.monotonicMs() + everyMs;
      if (await isThere(redis, everyMs)) await pass();
      const pauseMs = Math.max(PAUSE_MS_MIN, dueMs - clock.monotonicMs());
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  const running = run();
  return {
    assertCurrent: async () => {
      const silentMs = clock.monotonicMs() - wholeAtMs;
      if (silentMs <= SILENT_MS_MAX) return;
      if (silentMs === Number.POSITIVE_INFINITY) throw new Error('No bucket was drained yet.');
      throw new Error(`Not every bucket was drained for ${Math.round(silentMs / 1000)} s.`);
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function isThere(redis: RedisClient, withinMs: number): Promise<boolean> {
  try {
    await redisReady(redis, withinMs);
    return true;
  } catch {
    return false;
  }
}

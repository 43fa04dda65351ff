import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, createOutageLog, type Logger } from '@vcds/service-kit';

const EVERY_MS = 5_000;
/** Canaries that the queue accepted while this worker took no job: one minute. */
const UNANSWERED_MAX = 12;

interface CanaryOptions {
  /** Adds a canary to the queue; resolves when it is there, or the previous one still is. */
  readonly put: () => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default 5,000. */
  readonly everyMs?: number | undefined;
}

/**
 * Detects a worker that no longer consumes its queue: adds a canary to the queue every 5 s. Any worker of the queue may take it, so each worker counts
 * whether it takes a job at all: Redis serves waiting workers in turn. Canaries that the queue does
 * not accept, because Redis is unavailable, do not count: a restart would not help.
 *
 * BullMQ's job schedulers do not replace this. A scheduler adds the next job when a worker takes
 * the previous one, so it cannot count jobs that were not taken; and one scheduler per worker would
 * remain in Redis after the worker's crash.
 */
export function runCanary(options: CanaryOptions) {
  const { put, clock, logger, everyMs = EVERY_MS } = options;
  const stopping = new AbortController();
  const outages = createOutageLog(clock);
  let unanswered = 0;
  let consumedAtMs = clock.monotonicMs();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await put();
        unanswered += 1;
      } catch (error) {
        if (!stopping.signal.aborted) outages.warn(logger, 'failed to queue a canary job', error);
      }
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  void run();
  return {
    /** Canaries that the queue accepted since this worker last took a job. */
    unanswered: () => unanswered,
    /** Must be called for each job that this worker takes, a canary or any other. */
    consumed: (): void => {
      unanswered = 0;
      consumedAtMs = clock.monotonicMs();
    },
    /** Rejects if the queue works and this worker took no job from it for a minute. */
    assertConsuming: async (): Promise<void> => {
      if (unanswered < UNANSWERED_MAX) return;
      const silentSeconds = Math.round((clock.monotonicMs() - consumedAtMs) / 1_000);
      throw new Error(`The mail queue was not consumed for ${silentSeconds} s.`);
    },
    stop: (): void => stopping.abort(),
  };
}

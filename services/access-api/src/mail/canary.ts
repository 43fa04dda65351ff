import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Logger } from '@vcds/service-kit';

const EVERY_MS = 5_000;
/** Canaries the queue took while this worker took nothing from it: a minute of silence. */
const UNANSWERED_MAX = 12;

/** Shows whether a worker still consumes its queue. */
export interface Canary {
  /** Canaries the queue has taken since this worker last took a job. */
  readonly unanswered: () => number;
  /** To be called whenever this worker takes a job, a canary or any other. */
  consumed(): void;
  /** Rejects when the queue works and this worker has taken nothing from it for a minute. */
  assertConsuming(): Promise<void>;
  stop(): void;
}

export interface CanaryOptions {
  /** Puts a canary into the queue; resolves once it is there, or one still was. */
  readonly put: () => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default 5,000. */
  readonly everyMs?: number;
}

/**
 * Puts a canary into the queue every 5 s. Where several workers share the queue any of them may
 * take it, so what counts is that this one takes something: waiting workers are served in turn,
 * and a busy one is no silent one. While the queue takes no canary (Redis is away) nothing is
 * held against the worker: a restart would not help.
 */
export function runCanary(options: CanaryOptions): Canary {
  const { put, clock, logger, everyMs = EVERY_MS } = options;
  const stopping = new AbortController();
  let unanswered = 0;
  let consumedAtMs = clock.monotonicMs();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await put();
        unanswered += 1;
      } catch (error) {
        if (!stopping.signal.aborted) logger.warn({ error }, 'canary could not be queued');
      }
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  void run();
  return {
    unanswered: () => unanswered,
    consumed: () => {
      unanswered = 0;
      consumedAtMs = clock.monotonicMs();
    },
    assertConsuming: async () => {
      if (unanswered < UNANSWERED_MAX) return;
      const silentSeconds = Math.round((clock.monotonicMs() - consumedAtMs) / 1_000);
      throw new Error(`The mail queue was not consumed for ${silentSeconds} s.`);
    },
    stop: () => stopping.abort(),
  };
}

import {
  type Clock,
  createOutageLog,
  type Logger,
  type Repetition,
  repeat,
} from '@vcds/service-kit';

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

/** The canaries of a worker. */
export interface Canary extends Pick<Repetition, 'stop'> {
  /** Canaries that the queue accepted since this worker last took a job. */
  readonly unanswered: () => number;
  /** Must be called for each job that this worker takes, a canary or any other. */
  readonly consumed: () => void;
  /** Rejects if the queue works and this worker took no job from it for a minute. */
  readonly assertConsuming: () => Promise<void>;
}

/**
 * Detects a worker that no longer consumes its queue: adds a canary to the queue every 5 s. Any
 * worker of the queue may take it, so each worker counts whether it takes a job at all: Redis serves
 * waiting workers in turn. Canaries that the queue does not accept, because Redis is unavailable, do
 * not count: a restart would not help.
 *
 * BullMQ's job schedulers do not replace this. A scheduler adds the next job when a worker takes
 * the previous one, so it cannot count jobs that were not taken; and one scheduler per worker would
 * remain in Redis after the worker's crash.
 */
export function runCanary({ put, clock, logger, everyMs = EVERY_MS }: CanaryOptions): Canary {
  const outages = createOutageLog(clock);
  let unanswered = 0;
  let consumedAtMs = clock.monotonicMs();
  const putOne = async (): Promise<void> => {
    await put();
    unanswered += 1;
  };
  const { stop } = repeat(putOne, {
    everyMs,
    onError: (error) => outages.warn(logger, 'failed to queue a canary job', error),
  });
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
    stop,
  };
}

import { setTimeout as delay } from 'node:timers/promises';

interface RepeatOptions {
  /** From the start of one call to that of the next. */
  readonly everyMs: number;
  /** The minimum pause after a call that took longer. Default 0. */
  readonly pauseMsMin?: number;
  /** Called for a call that rejects, but not while it is being stopped. Default: ignored. */
  readonly onError?: (error: unknown) => void;
}

/** Work that is repeated until it is stopped. */
export interface Repetition {
  readonly isStopping: () => boolean;
  /** Starts no further call; resolves after the running one. */
  stop(): Promise<void>;
}

/** Calls `work` at once and then again and again, one call at a time. */
export function repeat(work: () => Promise<unknown>, options: RepeatOptions): Repetition {
  const { everyMs, pauseMsMin = 0, onError } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const dueMs = performance.now() + everyMs;
      try {
        await work();
      } catch (error) {
        if (!signal.aborted) onError?.(error);
      }
      const pauseMs = Math.max(pauseMsMin, dueMs - performance.now());
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    isStopping: () => signal.aborted,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

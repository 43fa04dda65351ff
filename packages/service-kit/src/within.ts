/**
 * The result of `work`.
 *
 * @throws Error with `message` if it takes more than `ms` milliseconds.
 */
export async function within<T>(ms: number, work: T | Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** A run without an end is given up after this time: its connection may be half-open. */
const RUN_MS_MAX = 10_000;

/**
 * Runs `work` for all callers at once: while it is under way, further callers get the same result, so
 * that what waits for a store does not grow with every caller. It runs again 10 s after it began, even
 * if it has no end.
 */
export function shared<T>(
  work: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let running: Promise<T> | undefined;
  let startedMs = 0;
  return () => {
    const nowMs = now();
    if (running !== undefined && nowMs - startedMs <= RUN_MS_MAX) return running;
    startedMs = nowMs;
    const run = work().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };
}

/** Bounds of the work of a queue. */
export interface QueueBounds {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Pieces of work that begin in one second; default: any number. */
  readonly perSecondMax?: number;
}

/**
 * @param nowMs a monotonic clock.
 * @param rejection the error for work beyond the bounds, which does not wait.
 */
export function createBoundedQueue(
  { runningMax, waitingMax, perSecondMax = Number.POSITIVE_INFINITY }: QueueBounds,
  nowMs: () => number,
  rejection: () => Error,
) {
  const waiting: (() => void)[] = [];
  let running = 0;
  let second = Number.NEGATIVE_INFINITY;
  let begun = 0;
  const isTooFast = (): boolean => {
    const current = Math.floor(nowMs() / 1_000);
    if (current !== second) [second, begun] = [current, 0];
    begun += 1;
    return begun > perSecondMax;
  };
  const enter = async (): Promise<void> => {
    if (running < runningMax) {
      running += 1;
      return;
    }
    // The work that ends next gives its place to the first one that waits.
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= waitingMax || isTooFast()) throw rejection();
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/** Somebody asked the stack to stop. */
export class StopRequested extends Error {
  override readonly name = 'StopRequested';
}

/**
 * A Ctrl-C in the terminal arrives twice, from the terminal and forwarded by npm; only one that
 * comes later than this is a second one.
 */
const echoMs = 1_000;
const exitCodeForced = 130;
const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `onStop` at the first signal that asks to stop, and `onForce` at a later one, after
 * which the process ends at once. Returns what ends the listening.
 */
export function listenForStop(onStop: () => void, onForce: () => void): () => void {
  let firstAt: number | undefined;
  const listener = () => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      onStop();
    } else if (now - firstAt > echoMs) {
      onForce();
      process.exit(exitCodeForced);
    }
  };
  for (const name of names) process.on(name, listener);
  return () => {
    for (const name of names) process.off(name, listener);
  };
}

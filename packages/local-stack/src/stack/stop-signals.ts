/** A signal asked the stack to stop. */
export class StopRequested extends Error {
  override readonly name = 'StopRequested';
}

/**
 * Ctrl-C arrives twice, from the terminal and forwarded by npm. A signal counts as a second one only
 * after this time.
 */
const ECHO_MS = 1_000;
const EXIT_CODE_FORCED = 130;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `onStop` at the first stop signal, and `onForce` at a second one, after which the process
 * exits at once. Returns a function that removes the listeners.
 */
export function listenForStop(onStop: () => void, onForce: () => void): () => void {
  let firstAt: number | undefined;
  const listener = () => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      onStop();
    } else if (now - firstAt > ECHO_MS) {
      onForce();
      process.exit(EXIT_CODE_FORCED);
    }
  };
  for (const name of SIGNALS) process.on(name, listener);
  return () => {
    for (const name of SIGNALS) process.off(name, listener);
  };
}

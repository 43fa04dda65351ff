/**
 * One Ctrl-C arrives several times: from the terminal, and forwarded by npm and by the script that
 * runs the command. Only a signal after this time is a second one.
 */
const ECHO_MS = 1000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The part of `process` that is needed. */
interface SignalSource {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  readonly channel?: { unref(): void } | null | undefined;
}

/**
 * Calls `onFirst` at the first termination signal, or when the script that runs the command exits;
 * calls `onAgain` at each signal that arrives at least a second later.
 *
 * @returns a function that removes the listeners.
 */
export function stopOnSignals(
  onFirst: () => void,
  onAgain: () => void,
  source: SignalSource = process,
  clock: () => number = () => performance.now(),
): () => void {
  let firstAt: number | undefined;
  const listener = () => {
    const now = clock();
    if (firstAt === undefined) {
      firstAt = now;
      onFirst();
    } else if (now - firstAt > ECHO_MS) {
      onAgain();
    }
  };
  for (const name of SIGNALS) source.on(name, listener);
  source.on('disconnect', listener);
  // The listener must not keep the process alive.
  source.channel?.unref();
  return () => {
    for (const name of SIGNALS) source.off(name, listener);
    source.off('disconnect', listener);
  };
}

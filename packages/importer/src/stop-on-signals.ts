/**
 * A Ctrl-C in the terminal arrives more than once: from the terminal, and forwarded by npm and by
 * the script that runs the command. Only one that comes later than this is a second one.
 */
const ECHO_MS = 1000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The process, as far as it is needed here. */
interface SignalSource {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  readonly channel?: { unref(): void } | null | undefined;
}

/**
 * Calls `onFirst` at the first signal that asks to stop, and when the script that runs the command
 * is gone; `onAgain` at each that comes a second later or more.
 *
 * @returns what ends the listening.
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
  // A channel that is listened to would keep the process alive.
  source.channel?.unref();
  return () => {
    for (const name of SIGNALS) source.off(name, listener);
    source.off('disconnect', listener);
  };
}

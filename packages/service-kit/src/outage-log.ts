import { type Clock, systemClock } from './clock.ts';
import type { Logger } from './logger.ts';

/** Minimum time between two log lines of one outage, in milliseconds. */
const OUTAGE_LOG_EVERY_MS = 10_000;
const SUBJECTS_MAX = 100;
const CAUSES_MAX = 5;

/** Logs an outage at intervals with a count, instead of a stack for each call. */
export type OutageLog = ReturnType<typeof createOutageLog>;

interface Line {
  readonly atMs: number;
  suppressed: number;
}

export function createOutageLog(clock: Clock = systemClock) {
  const lines = new Map<string, Line>();
  return {
    /**
     * Logs a warning at once, then at most one per 10 s for the same `subject`, with the number of
     * omitted warnings (`suppressed`) and the messages of the error (`reason`), without a stack.
     */
    warn: (
      logger: Logger,
      subject: string,
      error: unknown,
      fields: Readonly<Record<string, unknown>> = {},
    ): void => {
      const atMs = clock.monotonicMs();
      const last = lines.get(subject);
      if (last !== undefined && atMs - last.atMs < OUTAGE_LOG_EVERY_MS) {
        last.suppressed += 1;
        return;
      }
      lines.delete(subject);
      if (lines.size >= SUBJECTS_MAX) lines.clear();
      lines.set(subject, { atMs, suppressed: 0 });
      const suppressed = last?.suppressed ?? 0;
      logger.warn({ ...fields, reason: reasonOf(error), suppressed }, subject);
    },
  };
}

/** The messages of an error and its causes, outermost first. */
export function reasonOf(error: unknown): string {
  const messages: string[] = [];
  let current = error;
  while (current !== undefined && current !== null && messages.length < CAUSES_MAX) {
    messages.push(messageOf(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return messages.join(' Cause: ');
}

// If a connection fails at several addresses, Node throws an AggregateError without a message.
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join(', ');
  }
  return error instanceof Error ? error.message : String(error);
}

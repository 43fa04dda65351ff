/** A message is tried this often, within the life of its code (architecture §7). */
export const ATTEMPTS_MAX = 5;

const FIRST_MS = 3_000;
const FACTOR = 4;

export interface FailedAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  /** Until the code expires. */
  readonly leftMs: number;
  /** What the other side asked for. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * How long to wait before the next attempt: 3, 12, 48 and 192 s, of which a random half is left
 * out so that messages that failed together do not come back together; and never less than the
 * other side asked for. Undefined when no attempt is left, or none within the code's life.
 *
 * @param random a number of 0 up to 1.
 */
export function backOffMs(failed: FailedAttempt, random: number): number | undefined {
  const { attempt, leftMs, retryAfterMs = 0 } = failed;
  if (attempt >= ATTEMPTS_MAX) return undefined;
  const fullMs = FIRST_MS * FACTOR ** (attempt - 1);
  const waitMs = Math.ceil(Math.max(fullMs * (0.5 + random / 2), retryAfterMs));
  return waitMs < leftMs ? waitMs : undefined;
}

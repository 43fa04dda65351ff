import { Backoffs } from 'bullmq';
import type { Failure } from './deliver.ts';

/** Attempts at most. The last one begins within the 10 minutes of a code. */
export const ATTEMPTS_MAX = 8;

const FIRST_MS = 3_000;
/** The share of a delay that is random. */
const JITTER = 0.5;
const exponential = Backoffs.builtinStrategies.exponential?.(FIRST_MS, JITTER);
/** BullMQ's value for a job that is not retried. */
const GIVE_UP = -1;

/** A delivery that failed and may be retried. The text is stored in the queue. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly retryAfterMs: number;
  /** The instant at which the code expires. */
  readonly endMs: number;

  constructor({ text, retryAfterMs = 0 }: Failure, endMs: number) {
    super(text);
    this.retryAfterMs = retryAfterMs;
    this.endMs = endMs;
  }
}

/**
 * The milliseconds until the next attempt: BullMQ's exponential back-off of 3, 6, 12 … s, minus up
 * to half at random, but not less than the provider's `Retry-After`. -1 when the code expires
 * before: BullMQ's own back-off has neither bound.
 */
export async function retryDelayMs(
  attemptsMade: number,
  error: Error | undefined,
  nowMs: number,
): Promise<number> {
  const backOffMs = (await exponential?.(attemptsMade)) ?? FIRST_MS;
  if (!(error instanceof AttemptFailed)) return backOffMs;
  const delayMs = Math.max(backOffMs, error.retryAfterMs);
  return nowMs + delayMs < error.endMs ? delayMs : GIVE_UP;
}

/**
 * The wait that a response requests, in milliseconds, never negative: `Retry-After` in seconds or
 * as a date (RFC 9110 §10.2.3), else SendGrid's `X-RateLimit-Reset` in Unix seconds. Undefined
 * without a valid header.
 */
export function retryAfterMsOf(
  header: (lowerCaseName: string) => string | undefined,
  nowMs: number,
): number | undefined {
  const retryAfter = header('retry-after')?.trim();
  if (retryAfter !== undefined) {
    if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
    const instantMs = Date.parse(retryAfter);
    if (!Number.isNaN(instantMs)) return Math.max(0, instantMs - nowMs);
  }
  const reset = header('x-ratelimit-reset')?.trim();
  if (reset !== undefined && /^\d{1,12}$/.test(reset)) {
    return Math.max(0, Number(reset) * 1_000 - nowMs);
  }
  return undefined;
}

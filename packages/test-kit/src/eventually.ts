import { setTimeout as delay } from 'node:timers/promises';

/** How long {@link eventually} polls, and how often. */
export interface EventuallyOptions {
  /** Milliseconds until it gives up; default 60,000. */
  readonly timeoutMs?: number;
  /** Milliseconds between two probes; default 20, and up to 100 while the wait goes on. */
  readonly intervalMs?: number;
}

/** Between two probes of a long wait, and by what the interval grows until then. */
const INTERVAL = { firstMs: 20, growth: 1.2, mostMs: 100 } as const;

/**
 * Polls until `probe` neither throws nor returns `false`, and returns its result. A probe may be a
 * condition, or make assertions.
 *
 * @throws Error after `timeoutMs`, with the source text of the probe and its last failure; a probe
 * that never answers is given up then, too.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs }: EventuallyOptions = {},
): Promise<Exclude<T, false>> {
  const deadline = performance.now() + timeoutMs;
  let lastFailure: unknown = 'it has not answered';
  let nextMs: number = INTERVAL.firstMs;
  for (;;) {
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) throw expired(probe, timeoutMs, lastFailure);
    const result = await outcomeWithin(probe, remainingMs);
    if ('value' in result && result.value !== false) return result.value as Exclude<T, false>;
    if ('failure' in result) lastFailure = result.failure;
    else if ('value' in result) lastFailure = 'it returned false';
    await delay(intervalMs ?? nextMs);
    nextMs = Math.min(INTERVAL.mostMs, nextMs * INTERVAL.growth);
  }
}

type Outcome<T> = { readonly value: T } | { readonly failure: unknown } | { readonly late: true };

async function outcomeWithin<T>(probe: () => T | Promise<T>, ms: number): Promise<Outcome<T>> {
  const timer = new AbortController();
  const late = delay(ms, { late: true } as const, { signal: timer.signal });
  late.catch(() => undefined);
  const outcome = (async () => ({ value: await probe() }))().catch((failure) => ({ failure }));
  try {
    return await Promise.race([outcome, late]);
  } finally {
    timer.abort();
  }
}

function expired(probe: () => unknown, timeoutMs: number, failure: unknown): Error {
  const reason = failure instanceof Error ? failure.message : String(failure);
  const message = `Not within ${timeoutMs} ms: ${probe.toString()}\nLast failure: ${reason}`;
  return new Error(message, { cause: failure });
}

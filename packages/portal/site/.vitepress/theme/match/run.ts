/** The calls of a list, one after the other. */
import { type Answer, CallError, send } from '../explore/api.ts';
import type { MatchItem } from './items.ts';

/** A batch, with the key by which a repeated call is not charged again (docs/spec/credits.md 10.14). */
export interface Batch {
  readonly items: readonly MatchItem[];
  readonly idempotencyKey: string;
}

export function batch(items: readonly MatchItem[]): Batch {
  const random = crypto.getRandomValues(new Uint32Array(4));
  return { items, idempotencyKey: `list-${random.join('-')}` };
}

interface Running {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly onAnswer: (answer: Answer) => void;
  readonly onWait: (seconds: number) => void;
  readonly fetcher?: typeof fetch;
  readonly wait?: typeof pause;
}

const TRIES = 4;
const WAIT_SECONDS_MAX = 60;
/** They pass by themselves. */
const PASSING = new Set(['too_many_requests', 'unavailable', 'unreachable']);

/**
 * Sends the batches in their order. A call that fails for a while is repeated, at most three times.
 *
 * @throws CallError; the reason of the signal.
 */
export async function run(batches: readonly Batch[], running: Running): Promise<void> {
  for (const each of batches) running.onAnswer(await answered(each, running));
}

async function answered(
  { items, idempotencyKey }: Batch,
  { key, signal, onWait, fetcher = fetch, wait = pause }: Running,
): Promise<Answer> {
  const call = { path: '/companies/match', parameters: [], price: items.length };
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await send(call, { key, fetcher, signal, body: items, idempotencyKey });
    } catch (error) {
      if (!(error instanceof CallError) || !PASSING.has(error.code) || tries === TRIES) throw error;
      const seconds = error.waitSeconds ?? 2 ** tries;
      if (seconds > WAIT_SECONDS_MAX) throw error;
      onWait(seconds);
      await wait(seconds, signal);
    }
  }
}

/** @throws the reason of the signal. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1_000);
    function stop(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
    signal.addEventListener('abort', stop, { once: true });
  });
}

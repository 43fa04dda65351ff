import { setTimeout as delay } from 'node:timers/promises';
import type { CodeResult, CodeTarget, RegistrationStore } from './registration-store.ts';

/** Retries while other attempts are being evaluated, and the maximum pause before each. */
const BUSY_ROUNDS_MAX = 20;
const BUSY_PAUSE_MS_MAX = 100;

/** The result of a code, including the limits of the client's networks. */
export type CountedCodeResult =
  | Exclude<CodeResult, { outcome: 'not_compared' }>
  /** The networks have sent too many wrong codes; their codes are not compared until then. */
  | { readonly outcome: 'network_limit'; readonly waitMs: number };

/**
 * Tries a code. It counts for the client's networks before it is compared and counts for the
 * registration; only a wrong one stays counted. For a registration that is used, expired or dead,
 * no code is compared or counted.
 *
 * @throws ApiError `unavailable` while Redis does not respond.
 */
export async function tryCountedCode(
  store: Pick<RegistrationStore, 'tryCode' | 'beginCode'>,
  { target, code, client }: { target: CodeTarget; code: string; client: string | undefined },
): Promise<CountedCodeResult> {
  for (let round = 1; ; round++) {
    const unread = await store.tryCode(target, code, false);
    if (unread.outcome !== 'not_compared') return unread;
    const begun = await store.beginCode(client);
    if ('waitMs' in begun) {
      const { isBusy, waitMs } = begun;
      if (!isBusy || round === BUSY_ROUNDS_MAX) return { outcome: 'network_limit', waitMs };
      await delay(Math.random() * BUSY_PAUSE_MS_MAX);
      continue;
    }
    let wasWrong = false;
    try {
      const result = await store.tryCode(target, code, true);
      if (result.outcome === 'not_compared') throw new Error('A code was not compared.');
      wasWrong = 'wasWrong' in result && result.wasWrong;
      return result;
    } finally {
      await (wasWrong ? begun.attempt.keep() : begun.attempt.takeBack());
    }
  }
}

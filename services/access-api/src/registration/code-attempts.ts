import { setTimeout as delay } from 'node:timers/promises';
import type { CodeResult, CodeTarget, RegistrationStore } from './registration-store.ts';

/** How often, and how long at most each time, room is waited for that others take for a moment. */
const BUSY_ROUNDS_MAX = 20;
const BUSY_PAUSE_MS_MAX = 100;

/** What came of a code, the networks of its sender counted. */
export type CountedCodeResult =
  | Exclude<CodeResult, { outcome: 'not_compared' }>
  /** The networks have sent too many wrong codes; codes of theirs are not looked at until then. */
  | { readonly outcome: 'network_limit'; readonly waitMs: number };

/**
 * Tries a code. It is counted for the networks of its sender before it is compared, and so before
 * it counts against the registration; only a wrong one stays counted. Where no code is compared
 * (used, expired, dead) the networks do not matter and the answer is that of the registration.
 *
 * @throws ApiError `unavailable` while Redis does not answer.
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

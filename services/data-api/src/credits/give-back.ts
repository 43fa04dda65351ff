import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger, Operation, Unavailable } from '@vcds/metering';
import { RedisUnavailable } from '@vcds/metering/redis';
import type { Logger } from '@vcds/service-kit';

/** All attempts end before a client retries: errors have Retry-After 30 s. */
const PAUSES_MS: readonly number[] = [1_000, 4_000, 10_000];
/** The most concurrent releases; further holds of an outage expire. */
const CONCURRENT_MAX = 1_000;

export interface GiveBackOptions {
  readonly ledger: Ledger;
  readonly logger: Logger;
  /** Milliseconds before each attempt. */
  readonly pausesMs?: readonly number[];
}

/**
 * Wraps a ledger so that it releases the holds of calls that were not served: in the background it
 * retries the release of a reservation that Redis may have executed without a response, and a
 * release without one. If all attempts fail, it logs that, and the hold expires.
 */
export function givingBack({ ledger, logger, pausesMs = PAUSES_MS }: GiveBackOptions): Ledger {
  let running = 0;
  const release = async (operation: Operation): Promise<boolean> => {
    for (const pauseMs of pausesMs) {
      await delay(pauseMs, undefined, { ref: false });
      if ((await ledger.release(operation)).status === 'settled') return true;
    }
    return false;
  };
  const giveBack = async ({ account, op }: Operation): Promise<void> => {
    running += 1;
    try {
      if (running <= CONCURRENT_MAX && (await release({ account, op }))) return;
      logger.warn({ accountId: account, op }, 'failed to release a hold; it will expire');
    } catch (error) {
      logger.error({ err: error, accountId: account, op }, 'failed to release a hold');
    } finally {
      running -= 1;
    }
  };
  return {
    ...ledger,
    reserve: async (request) => {
      const answer = await ledger.reserve(request);
      if (answer.status === 'unavailable' && mayHaveHeld(answer)) void giveBack(request);
      return answer;
    },
    release: async (operation) => {
      const answer = await ledger.release(operation);
      if (answer.status === 'unavailable') void giveBack(operation);
      return answer;
    },
  };
}

function mayHaveHeld({ cause }: Unavailable): boolean {
  return cause instanceof RedisUnavailable && cause.isUncertain;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger, Operation, Unavailable } from '@vcds/metering';
import { RedisUnavailable } from '@vcds/metering/redis';
import type { Logger } from '@vcds/service-kit';

/** Done well before a caller that was told to come back in 30 s does. */
const PAUSES_MS: readonly number[] = [1_000, 4_000, 10_000];
/** Holds beyond this many, of all that an outage left at one time, expire by themselves. */
const UNDER_WAY_MAX = 1_000;

export interface GiveBackOptions {
  readonly ledger: Ledger;
  readonly logger: Logger;
  /** How long to wait before each attempt. */
  readonly pausesMs?: readonly number[];
}

/**
 * The ledger, and nothing stays held for a call that was not served: a reservation that Redis may
 * have carried out without saying so, and a release it did not answer, are released again in the
 * background. What cannot be given back is logged, and expires like the hold of a process that died.
 */
export function givingBack({ ledger, logger, pausesMs = PAUSES_MS }: GiveBackOptions): Ledger {
  let underWay = 0;
  const release = async (operation: Operation): Promise<boolean> => {
    for (const pauseMs of pausesMs) {
      await delay(pauseMs, undefined, { ref: false });
      if ((await ledger.release(operation)).status === 'settled') return true;
    }
    return false;
  };
  const giveBack = async ({ account, op }: Operation): Promise<void> => {
    underWay += 1;
    try {
      if (underWay <= UNDER_WAY_MAX && (await release({ account, op }))) return;
      logger.warn({ accountId: account, op }, 'credits stay held until the hold expires');
    } catch (error) {
      logger.error({ err: error, accountId: account, op }, 'credits could not be given back');
    } finally {
      underWay -= 1;
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

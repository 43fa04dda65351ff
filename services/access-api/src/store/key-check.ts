import type { KeyCheck, KeyDigest } from '@vcds/credentials';
import { ApiError, type Clock } from '@vcds/service-kit';
import type { History } from './history.ts';
import type { Keeper } from './keeper.ts';
import { judge } from './key-store.ts';

/** Says whether a key opens anything. */
export interface KeyChecker {
  /** @throws ApiError `unavailable` when neither Redis nor the journal can be asked. */
  check(digest: KeyDigest): Promise<KeyCheck>;
}

export interface KeyCheckerOptions {
  readonly keeper: Pick<Keeper, 'check'>;
  readonly history: Pick<History, 'findKey' | 'snapshot'>;
  readonly clock: Clock;
}

/**
 * Checks keys in Redis, and in the journal while Redis cannot be asked: what needs no credits,
 * such as the rate card, is then still answered to those with a valid key, and to them alone. The
 * journal hears of every change first, so it never lets in a key that Redis would refuse.
 */
export function createKeyChecker({ keeper, history, clock }: KeyCheckerOptions): KeyChecker {
  return {
    check: async (digest) => {
      try {
        return await keeper.check(digest);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return await checkInJournal(history, digest, clock).catch(() => Promise.reject(error));
      }
    },
  };
}

async function checkInJournal(
  history: KeyCheckerOptions['history'],
  digest: KeyDigest,
  clock: Clock,
): Promise<KeyCheck> {
  const found = await history.findKey({ digest });
  if (found === null) return { rejected: 'unknown' };
  const { id: keyId, accountId } = found;
  const { plan, keys } = await history.snapshot(accountId);
  const key = keys.find((each) => each.keyId === keyId);
  return key === undefined
    ? { rejected: 'unknown' }
    : judge(key, { accountId, keyId }, plan, clock);
}

import type { KeyCheck, KeyDigest } from '@vcds/credentials';
import { ApiError, type Clock } from '@vcds/service-kit';
import type { History } from './history.ts';
import { evaluateKey } from './key-store.ts';
import type { RedisGuard } from './redis-guard.ts';
import { keyStateOf } from './snapshot.ts';

/** @throws ApiError `unavailable` if neither Redis nor the journal responds. */
export type KeyChecker = (digest: KeyDigest) => Promise<KeyCheck>;

interface KeyCheckerOptions {
  readonly guard: Pick<RedisGuard, 'check'>;
  readonly history: Pick<History, 'findKey' | 'planOf'>;
  readonly clock: Clock;
}

/**
 * Checks keys in Redis, and in the journal while Redis is unavailable, so that calls without a
 * charge still work with a valid key, and for a key that Redis does not have. The journal has every
 * change first: it accepts no key that Redis would reject.
 */
export function createKeyChecker({ guard, history, clock }: KeyCheckerOptions): KeyChecker {
  return async (digest) => {
    try {
      const check = await guard.check(digest);
      if (!('rejected' in check) || check.rejected !== 'unknown') return check;
      // Redis has no keys that ended long ago, and no account that cannot be applied to it.
      return await checkInJournal(history, digest, clock).catch(() => check);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return await checkInJournal(history, digest, clock).catch(() => Promise.reject(error));
    }
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
  const plan = await history.planOf(accountId);
  return evaluateKey(keyStateOf(found), { accountId, keyId }, plan, clock);
}

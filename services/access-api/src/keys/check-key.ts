import { type KeyCheck, type KeyDigest, NO_KEY } from '@vcds/credentials';
import { ApiError, orUnavailable, within } from '@vcds/service-kit';
import type { RedisGuard } from '../accounts/redis-guard.ts';
import { evaluateKey, keyStateOf } from '../accounts/state.ts';
import type { Stores } from '../accounts/stores.ts';

/** @throws ApiError `unavailable` if neither Redis nor the journal responds. */
export type KeyChecker = (digest: KeyDigest) => Promise<KeyCheck>;

type KeyCheckerOptions = Pick<Stores, 'history' | 'mirror' | 'clock'> & {
  readonly guard: Pick<RedisGuard, 'check'>;
};

/** Below the time after which data-api takes a check for an outage of access-api. */
const JOURNAL_MS_MAX = 1_500;

/**
 * Checks keys in Redis, and in the journal while Redis is unavailable, so that calls without a
 * charge still work with a valid key, and for a key that Redis does not have: it may have lost it, or
 * the key ended long ago. The journal has every change first: it accepts no key that Redis would reject.
 * `NO_KEY` is unknown as soon as one of them responds: it shows that keys are checked, and must not fail
 * because of the journal alone.
 */
export function createKeyChecker(options: KeyCheckerOptions): KeyChecker {
  return async (digest) => {
    const inRedis = await options.guard.check(digest).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return undefined;
    });
    const isUnknown =
      inRedis !== undefined && 'rejected' in inRedis && inRedis.rejected === 'unknown';
    if (inRedis !== undefined && (!isUnknown || digest === NO_KEY)) return inRedis;
    const inJournal = within(
      JOURNAL_MS_MAX,
      checkInJournal(options, digest),
      `The journal did not respond within ${JOURNAL_MS_MAX} ms.`,
    );
    return orUnavailable(inJournal, 'Keys are temporarily unavailable. Retry later.');
  };
}

async function checkInJournal(
  { history, mirror, clock }: KeyCheckerOptions,
  digest: KeyDigest,
): Promise<KeyCheck> {
  const found = await history.findKey({ digest });
  if (found === null) return { rejected: 'unknown' };
  const { id: keyId, accountId } = found;
  const plan = await history.planOf(accountId);
  const key = keyStateOf(found);
  // A node of a cluster may have lost whose key this is.
  await mirror.writeOwner(accountId, key).catch(() => undefined);
  return evaluateKey(key, { accountId, keyId }, plan, clock.wallMs());
}

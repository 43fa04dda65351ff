import type { KeyObject } from 'node:crypto';
import type { KeySet } from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';

/** The set is fetched again after this time, so that a removed key becomes invalid. */
export const FRESH_MS = 5 * 60_000;
/** How long the last set is used while access-api does not respond. */
export const STALE_MS_MAX = 60 * 60_000;
/** The minimum time between two requests, even if tokens name unknown keys. */
export const RETRY_MS = 1_000;

/**
 * Finds keys by id in the key set that access-api publishes, cached; undefined if a key is not
 * published. For an unknown id the set is fetched again, at most once a second.
 *
 * Rejects if access-api does not respond and the key is not in a set of the last hour.
 */
export function publishedKeys(fetch: () => Promise<KeySet>, clock: Clock) {
  let keys: KeySet = new Map();
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let running: Promise<void> | undefined;
  const ageMs = (): number => clock.monotonicMs() - fetchedAtMs;

  const refresh = async (): Promise<void> => {
    triedAtMs = clock.monotonicMs();
    try {
      keys = await fetch();
      // The time of the request: a key may have been removed since.
      fetchedAtMs = triedAtMs;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
  };
  const refreshOnce = (): Promise<void> => {
    running ??= refresh().finally(() => {
      running = undefined;
    });
    return running;
  };

  return async (kid: string): Promise<KeyObject | undefined> => {
    const cached = keys.get(kid);
    if (cached !== undefined && ageMs() <= FRESH_MS) return cached;
    if (running !== undefined || clock.monotonicMs() - triedAtMs >= RETRY_MS) await refreshOnce();
    const key = ageMs() <= STALE_MS_MAX ? keys.get(kid) : undefined;
    if (key === undefined && failure !== undefined) throw failure;
    return key;
  };
}

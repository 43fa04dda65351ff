import type { KeyObject } from 'node:crypto';
import type { KeySet } from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';

/** A set is asked for again after this long, so that a key taken off it is not believed for ever. */
export const FRESH_MS = 5 * 60_000;
/** While access-api cannot be asked, its last set is believed this long. */
export const STALE_MS_MAX = 60 * 60_000;
/** Between two askings, whatever unknown keys tokens claim to be signed with. */
export const RETRY_MS = 1_000;

/** The keys access-api publishes, as this process knows them. */
export interface PublishedKeys {
  /**
   * The key of that id; undefined when none such is published. An unknown one is asked for, once
   * a second at most.
   *
   * Rejects when access-api cannot be asked and the key is not known, or not since an hour.
   */
  find(kid: string): Promise<KeyObject | undefined>;
}

export interface PublishedKeysOptions {
  readonly fetch: () => Promise<KeySet>;
  readonly clock: Clock;
}

export function createPublishedKeys({ fetch, clock }: PublishedKeysOptions): PublishedKeys {
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
      // As old as the question: what was taken off the set since is on it no longer.
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

  return {
    find: async (kid) => {
      const known = keys.get(kid);
      if (known !== undefined && ageMs() <= FRESH_MS) return known;
      if (running !== undefined || clock.monotonicMs() - triedAtMs >= RETRY_MS) await refreshOnce();
      const key = ageMs() <= STALE_MS_MAX ? keys.get(kid) : undefined;
      if (key === undefined && failure !== undefined) throw failure;
      return key;
    },
  };
}

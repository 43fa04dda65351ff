import type { KeyCheck } from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';

/** How long the result of a check is fresh, from the time of its request. */
const ACCEPTED_MS_MAX = 5_000;
const REJECTED_MS_MAX = 2_000;
/** How long an accepted key stays accepted while access-api does not respond. */
export const STALE_MS_MAX = 60_000;
const ENTRIES_MAX = 10_000;

/** The result of a key check. */
interface Entry {
  readonly check: KeyCheck;
  readonly requestedAtMs: number;
  /** Until then it is used without a new check. */
  readonly freshUntilMs: number;
  /** The number of `expireAll` calls before its request. */
  readonly generation: number;
}

interface Answered {
  readonly check: KeyCheck;
  readonly isStale: boolean;
}

/**
 * For the metrics: in the cache (`hit`), from a running check (`joined`) or from a new one
 * (`miss`); also `stale` if the check failed and an older result was used.
 */
export type CacheResult = 'hit' | 'joined' | 'miss' | 'stale';

/** Results of key checks by digest, or by another name of a key. */
export type KeyCache<Name extends string> = ReturnType<typeof createKeyCache<Name>>;

export interface KeyCacheOptions<Name extends string> {
  readonly clock: Clock;
  /** `wasAccepted`: within the last 60 s. Rejects if access-api does not respond. */
  readonly lookUp: (name: Name, wasAccepted: boolean) => Promise<KeyCheck>;
  /** Whether changes of keys are received; while they are not, nothing is fresh. */
  readonly isStreamLive: () => boolean;
  readonly onResult?: (result: CacheResult) => void;
}

/**
 * A cache of key checks. An entry is fresh for 5 s after its request (2 s for a rejected key), and
 * is removed when a change of the key is received. The result of a check during which the key
 * changed is not stored. An accepted key that is no longer fresh is only used while checks fail, for
 * 60 s in all, and then evicted. Accepted and rejected keys have separate caches of 10,000 entries, so
 * that guessed keys cannot evict real ones.
 */
export function createKeyCache<Name extends string>(options: KeyCacheOptions<Name>) {
  const { clock, lookUp, isStreamLive, onResult = () => undefined } = options;
  const accepted = new Map<Name, Entry>();
  const rejected = new Map<Name, Entry>();
  const running = new Map<Name, Promise<Answered>>();
  let generation = 0;

  const fresh = (name: Name): KeyCheck | undefined => {
    const entry = accepted.get(name) ?? rejected.get(name);
    if (entry?.generation !== generation || !isStreamLive()) return undefined;
    return clock.monotonicMs() < entry.freshUntilMs ? entry.check : undefined;
  };

  const stale = (name: Name): KeyCheck | undefined => {
    const entry = accepted.get(name);
    if (entry === undefined) return undefined;
    return clock.monotonicMs() - entry.requestedAtMs < STALE_MS_MAX ? entry.check : undefined;
  };

  const ask = (name: Name): Promise<Answered> => {
    const requestedAtMs = clock.monotonicMs();
    const wasStreamLive = isStreamLive();
    const finish = (): boolean => running.get(name) === answer && running.delete(name);
    const answer: Promise<Answered> = lookUp(name, stale(name) !== undefined).then(
      (check) => {
        const isFollowed = wasStreamLive && isStreamLive();
        if (finish()) store(name, check, requestedAtMs, isFollowed);
        return { check, isStale: false };
      },
      (error: unknown) => {
        finish();
        const check = stale(name);
        if (check === undefined) throw error;
        return { check, isStale: true };
      },
    );
    running.set(name, answer);
    return answer;
  };

  const store = (name: Name, check: KeyCheck, requestedAtMs: number, isFollowed: boolean): void => {
    accepted.delete(name);
    rejected.delete(name);
    const isAccepted = 'principal' in check;
    const freshMs = isFollowed ? (isAccepted ? ACCEPTED_MS_MAX : REJECTED_MS_MAX) : 0;
    const entries = isAccepted ? accepted : rejected;
    entries.set(name, { check, requestedAtMs, freshUntilMs: requestedAtMs + freshMs, generation });
    evict(accepted);
    evict(rejected);
  };

  // Entries are in the order of their results. One of a slow request is evicted a little later.
  const evict = (entries: Map<Name, Entry>): void => {
    const usableFromMs = clock.monotonicMs() - STALE_MS_MAX;
    for (const [name, { requestedAtMs }] of entries) {
      if (entries.size <= ENTRIES_MAX && requestedAtMs > usableFromMs) return;
      entries.delete(name);
    }
  };

  return {
    /** The number of stored results. */
    size: (): number => accepted.size + rejected.size,
    /**
     * The fresh result, or that of the running check, or that of a new one; one check at a time for
     * each name. If the check fails, the last result of an accepted key, at most 60 s old.
     */
    check: async (name: Name): Promise<KeyCheck> => {
      const found = fresh(name);
      if (found !== undefined) {
        onResult('hit');
        return found;
      }
      const answer = running.get(name);
      onResult(answer === undefined ? 'miss' : 'joined');
      const { check, isStale } = await (answer ?? ask(name));
      if (isStale) onResult('stale');
      return check;
    },
    /** Removes the result of a key, and the one of a running check. */
    invalidate: (name: Name): void => {
      accepted.delete(name);
      rejected.delete(name);
      running.delete(name);
    },
    invalidateAll: (): void => {
      accepted.clear();
      rejected.clear();
      running.clear();
    },
    /** No result is fresh any more: changes may have been missed. */
    expireAll: (): void => {
      generation += 1;
      running.clear();
    },
  };
}

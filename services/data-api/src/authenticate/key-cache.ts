import type { KeyCheck } from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';

/** A key that opens is believed this long after it was asked about, one that does not, this. */
export const OPENS_MS_MAX = 5_000;
export const REFUSED_MS_MAX = 2_000;
/** While access-api cannot say, a key that opened is believed this long after it was asked about. */
export const STALE_MS_MAX = 60_000;
const ENTRIES_MAX = 10_000;

/** What was found out about a key, and when it was asked. */
interface Entry {
  readonly check: KeyCheck;
  readonly askedAtMs: number;
  /** Until when it counts without asking. */
  readonly freshUntilMs: number;
  /** How often `distrustAll` had been called when it was asked. */
  readonly generation: number;
}

interface Lookup {
  readonly answer: Promise<Answered>;
}

interface Answered {
  readonly check: KeyCheck;
  readonly isStale: boolean;
}

/**
 * What became of one question, for the metrics: answered from the cache, by a look-up under way,
 * or by a new one; `stale` besides, where the look-up failed and an older answer was used.
 */
export type CacheResult = 'hit' | 'joined' | 'miss' | 'stale';

/** What this process knows about keys, by digest or another name for a key. */
export interface KeyCache<Name extends string> {
  /**
   * What is known, or is being asked, or else a new look-up; one at a time for each name. If the
   * look-up fails, the last answer for a key that opened, asked for less than 60 s ago.
   */
  check(name: Name): Promise<KeyCheck>;
  /** Drops what is known of a key, and what is being asked about it. */
  forget(name: Name): void;
  forgetAll(): void;
  /** Changes may have been missed: every key is asked about again before it is believed. */
  distrustAll(): void;
}

export interface KeyCacheOptions<Name extends string> {
  readonly clock: Clock;
  /** Rejects when access-api cannot say. */
  readonly lookUp: (name: Name) => Promise<KeyCheck>;
  /** Whether changes to keys are being received; while they are not, every key is asked about. */
  readonly isTailLive: () => boolean;
  readonly onResult?: (result: CacheResult) => void;
}

/**
 * A cache of key checks. An entry is fresh from the moment its look-up was sent, for 5 s (2 s when
 * refused), and is dropped as soon as a change to the key is received. A look-up during which the
 * key changed is not remembered and not joined. Past its freshness an entry of a key that opened
 * serves for one purpose: to answer for 60 s in all while look-ups fail. Opening and refused keys
 * are kept apart, 10,000 each, so that guessed keys cannot push out real ones.
 */
export function createKeyCache<Name extends string>(
  options: KeyCacheOptions<Name>,
): KeyCache<Name> {
  const { clock, lookUp, isTailLive, onResult = () => undefined } = options;
  const opening = new Map<Name, Entry>();
  const refused = new Map<Name, Entry>();
  const underWay = new Map<Name, Lookup>();
  let generation = 0;

  const fresh = (name: Name): KeyCheck | undefined => {
    const entry = opening.get(name) ?? refused.get(name);
    if (entry?.generation !== generation || !isTailLive()) return undefined;
    return clock.monotonicMs() < entry.freshUntilMs ? entry.check : undefined;
  };

  const stale = (name: Name): KeyCheck | undefined => {
    const entry = opening.get(name);
    if (entry === undefined) return undefined;
    return clock.monotonicMs() - entry.askedAtMs < STALE_MS_MAX ? entry.check : undefined;
  };

  const ask = (name: Name): Promise<Answered> => {
    const askedAtMs = clock.monotonicMs();
    const wasTailLive = isTailLive();
    const finish = (): boolean => underWay.get(name) === lookup && underWay.delete(name);
    const answer = lookUp(name).then(
      (check) => {
        const isFollowed = wasTailLive && isTailLive();
        if (finish()) remember(name, check, askedAtMs, isFollowed);
        return { check, isStale: false };
      },
      (error: unknown) => {
        finish();
        const check = stale(name);
        if (check === undefined) throw error;
        return { check, isStale: true };
      },
    );
    const lookup: Lookup = { answer };
    underWay.set(name, lookup);
    return answer;
  };

  const remember = (name: Name, check: KeyCheck, askedAtMs: number, isFollowed: boolean): void => {
    opening.delete(name);
    refused.delete(name);
    const opens = 'principal' in check;
    const freshMs = isFollowed ? (opens ? OPENS_MS_MAX : REFUSED_MS_MAX) : 0;
    const entries = opens ? opening : refused;
    entries.set(name, { check, askedAtMs, freshUntilMs: askedAtMs + freshMs, generation });
    if (entries.size > ENTRIES_MAX) dropOldest(entries);
  };

  return {
    check: async (name) => {
      const known = fresh(name);
      if (known !== undefined) {
        onResult('hit');
        return known;
      }
      const running = underWay.get(name);
      onResult(running === undefined ? 'miss' : 'joined');
      const { check, isStale } = await (running?.answer ?? ask(name));
      if (isStale) onResult('stale');
      return check;
    },
    forget: (name) => {
      opening.delete(name);
      refused.delete(name);
      underWay.delete(name);
    },
    forgetAll: () => {
      opening.clear();
      refused.clear();
      underWay.clear();
    },
    distrustAll: () => {
      generation += 1;
      underWay.clear();
    },
  };
}

// A Map keeps the order of insertion, and entries are inserted in the order they were asked for.
function dropOldest<Name>(entries: Map<Name, Entry>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

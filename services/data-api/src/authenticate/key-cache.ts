import type { KeyCheck } from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';

/** A key that opens is believed this long after it was asked about, one that does not, this. */
export const OPENS_MS_MAX = 5_000;
export const REFUSED_MS_MAX = 2_000;
const ENTRIES_MAX = 10_000;

/** What was found out about a key, and until when that counts. */
interface Entry {
  readonly check: KeyCheck;
  readonly untilMs: number;
}

interface Lookup {
  readonly answer: Promise<KeyCheck>;
}

/** What became of one question, for the measures. */
export type CacheResult = 'hit' | 'joined' | 'asked';

/** What this process knows about keys, by digest or another name for a key. */
export interface KeyCache<Name extends string> {
  /** What is known, or is being asked, or else a new look-up; one at a time for each name. */
  check(name: Name): Promise<KeyCheck>;
  /** Drops what is known of a key, and what is being asked about it. */
  forget(name: Name): void;
  forgetAll(): void;
}

export interface KeyCacheOptions<Name extends string> {
  readonly clock: Clock;
  readonly lookUp: (name: Name) => Promise<KeyCheck>;
  /** Whether changes to keys are being heard of; while they are not, nothing is remembered. */
  readonly isTailLive: () => boolean;
  readonly onResult?: (result: CacheResult) => void;
}

/**
 * A cache that is never stale (architecture §4): an entry lives from the moment its look-up was
 * sent, for 5 s (2 s when refused), and is dropped as soon as a change to the key is heard of. A
 * look-up during which the key changed is not remembered and not joined. Opening and refused keys
 * are kept apart, 10,000 each, so that guessed keys cannot push out real ones.
 */
export function createKeyCache<Name extends string>(
  options: KeyCacheOptions<Name>,
): KeyCache<Name> {
  const { clock, lookUp, isTailLive, onResult = () => undefined } = options;
  const opening = new Map<Name, Entry>();
  const refused = new Map<Name, Entry>();
  const underWay = new Map<Name, Lookup>();

  const known = (name: Name): KeyCheck | undefined => {
    const entry = opening.get(name) ?? refused.get(name);
    if (entry === undefined || !isTailLive()) return undefined;
    return clock.monotonicMs() < entry.untilMs ? entry.check : undefined;
  };

  const ask = (name: Name): Promise<KeyCheck> => {
    const askedAtMs = clock.monotonicMs();
    const wasTailLive = isTailLive();
    const lookup: Lookup = { answer: lookUp(name) };
    underWay.set(name, lookup);
    const isCurrent = (): boolean => underWay.get(name) === lookup;
    return lookup.answer.then(
      (check) => {
        if (isCurrent()) {
          underWay.delete(name);
          if (wasTailLive && isTailLive()) remember(name, check, askedAtMs);
        }
        return check;
      },
      (error: unknown) => {
        if (isCurrent()) underWay.delete(name);
        throw error;
      },
    );
  };

  const remember = (name: Name, check: KeyCheck, askedAtMs: number): void => {
    opening.delete(name);
    refused.delete(name);
    const opens = 'principal' in check;
    const entries = opens ? opening : refused;
    entries.set(name, { check, untilMs: askedAtMs + (opens ? OPENS_MS_MAX : REFUSED_MS_MAX) });
    if (entries.size > ENTRIES_MAX) dropOldest(entries);
  };

  return {
    check: (name) => {
      const check = known(name);
      if (check !== undefined) {
        onResult('hit');
        return Promise.resolve(check);
      }
      const running = underWay.get(name);
      onResult(running === undefined ? 'asked' : 'joined');
      return running?.answer ?? ask(name);
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
  };
}

// A Map keeps the order of insertion, and entries are inserted in the order they were asked for.
function dropOldest<Name>(entries: Map<Name, Entry>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

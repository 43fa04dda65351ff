import type { KeyCheck, KeyDigest } from '@vcds/credentials';
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

/** What this process knows about keys. */
export interface KeyCache {
  /** What is known, or is being asked, or else a new look-up; one at a time for each key. */
  check(digest: KeyDigest): Promise<KeyCheck>;
  /** Drops what is known of a key, and what is being asked about it. */
  forget(digest: KeyDigest): void;
  forgetAll(): void;
}

export interface KeyCacheOptions {
  readonly clock: Clock;
  readonly lookUp: (digest: KeyDigest) => Promise<KeyCheck>;
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
export function createKeyCache(options: KeyCacheOptions): KeyCache {
  const { clock, lookUp, isTailLive, onResult = () => undefined } = options;
  const opening = new Map<KeyDigest, Entry>();
  const refused = new Map<KeyDigest, Entry>();
  const underWay = new Map<KeyDigest, Lookup>();

  const known = (digest: KeyDigest): KeyCheck | undefined => {
    const entry = opening.get(digest) ?? refused.get(digest);
    if (entry === undefined || !isTailLive()) return undefined;
    return clock.monotonicMs() < entry.untilMs ? entry.check : undefined;
  };

  const ask = (digest: KeyDigest): Promise<KeyCheck> => {
    const askedAtMs = clock.monotonicMs();
    const wasTailLive = isTailLive();
    const lookup: Lookup = { answer: lookUp(digest) };
    underWay.set(digest, lookup);
    const isCurrent = (): boolean => underWay.get(digest) === lookup;
    return lookup.answer.then(
      (check) => {
        if (isCurrent()) {
          underWay.delete(digest);
          if (wasTailLive && isTailLive()) remember(digest, check, askedAtMs);
        }
        return check;
      },
      (error: unknown) => {
        if (isCurrent()) underWay.delete(digest);
        throw error;
      },
    );
  };

  const remember = (digest: KeyDigest, check: KeyCheck, askedAtMs: number): void => {
    opening.delete(digest);
    refused.delete(digest);
    const opens = 'principal' in check;
    const entries = opens ? opening : refused;
    entries.set(digest, { check, untilMs: askedAtMs + (opens ? OPENS_MS_MAX : REFUSED_MS_MAX) });
    if (entries.size > ENTRIES_MAX) dropOldest(entries);
  };

  return {
    check: (digest) => {
      const check = known(digest);
      if (check !== undefined) {
        onResult('hit');
        return Promise.resolve(check);
      }
      const running = underWay.get(digest);
      onResult(running === undefined ? 'asked' : 'joined');
      return running?.answer ?? ask(digest);
    },
    forget: (digest) => {
      opening.delete(digest);
      refused.delete(digest);
      underWay.delete(digest);
    },
    forgetAll: () => {
      opening.clear();
      refused.clear();
      underWay.clear();
    },
  };
}

// A Map keeps the order of insertion, and entries are inserted in the order they were asked for.
function dropOldest(entries: Map<KeyDigest, Entry>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

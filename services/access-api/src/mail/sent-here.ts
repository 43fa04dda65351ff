import type { Clock } from '@vcds/service-kit';

/** More than one process sends within the life of a code. */
const ENTRIES_MAX = 100_000;

/** The registrations whose messages this process sent, until their codes expire. */
export interface SentHere {
  has(registrationId: string): boolean;
  add(registrationId: string, expiresAtMs: number): void;
}

/** Stores them in memory; above `entriesMax` the oldest are removed. */
export function createSentHere(clock: Clock, entriesMax = ENTRIES_MAX): SentHere {
  // All codes have the same life, so the order of sending is nearly that of expiry.
  const expiries = new Map<string, number>();
  const removeOld = (): void => {
    for (const [id, expiresAtMs] of expiries) {
      if (expiresAtMs > clock.wallMs() && expiries.size <= entriesMax) return;
      expiries.delete(id);
    }
  };
  return {
    has: (id) => (expiries.get(id) ?? 0) > clock.wallMs(),
    add: (id, expiresAtMs) => {
      expiries.set(id, expiresAtMs);
      removeOld();
    },
  };
}

import type { Clock } from '@vcds/service-kit';

/** Far more than are sent within the life of a code by one process. */
const REMEMBERED_MAX = 100_000;

/** What this process has sent, for as long as it could be asked to send it again. */
export interface SentHere {
  has(registrationId: string): boolean;
  /** Remembers it until its code expires. */
  add(registrationId: string, expiresAtMs: number): void;
}

/** Remembers in memory; the oldest is forgotten first when there are too many. */
export function createSentHere(clock: Clock, rememberedMax = REMEMBERED_MAX): SentHere {
  // Codes live equally long, so the order of sending is nearly that of expiring.
  const expiries = new Map<string, number>();
  const forget = (): void => {
    for (const [id, expiresAtMs] of expiries) {
      if (expiresAtMs > clock.wallMs() && expiries.size <= rememberedMax) return;
      expiries.delete(id);
    }
  };
  return {
    has: (id) => (expiries.get(id) ?? 0) > clock.wallMs(),
    add: (id, expiresAtMs) => {
      expiries.set(id, expiresAtMs);
      forget();
    },
  };
}

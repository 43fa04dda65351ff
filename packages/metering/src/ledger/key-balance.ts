import type { KeyBalance } from './ledger.ts';

/** The balance of a key with a monthly limit; null without one. */
export function keyBalance(limit: number | null, used: number, held: number): KeyBalance | null {
  return limit === null ? null : { limit, remaining: Math.max(0, limit - used - held), used, held };
}

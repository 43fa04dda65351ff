import type { PlanId } from '@vcds/credentials';
import type { CreditReport, KeyReport } from './credit-headers.ts';

/**
 * The member `credits` of a response: the balance, `remaining` null while it is unknown.
 *
 * @param required the maximum price of the call.
 */
export function creditsBody(
  { limit, remaining, plan, resetAt, key }: Omit<CreditReport, 'charged'> & { plan: PlanId },
  required: number,
) {
  const reset = resetAt.toISOString();
  const ofKey = key ? { key: keyBody(key) } : {};
  return { limit, remaining: remaining ?? null, required, plan, reset, ...ofKey };
}

/** The credits of a key with a monthly limit; null without one. */
export function keyBody(key: KeyReport | null | undefined) {
  return key ? { limit: key.limit, remaining: key.remaining ?? null } : null;
}

import type { PlanId } from '@vcds/credentials';
import type { CreditReport } from './credit-headers.ts';

/**
 * The member `credits` of a response: the balance, `remaining` null while it is unknown.
 *
 * @param required the maximum price of the call.
 */
export function creditsBody(
  { limit, remaining, plan, resetAt }: Omit<CreditReport, 'charged'> & { readonly plan: PlanId },
  required: number,
) {
  return { limit, remaining: remaining ?? null, required, plan, reset: resetAt.toISOString() };
}

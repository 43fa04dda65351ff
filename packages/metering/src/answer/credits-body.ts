import type { PlanId } from '@vcds/credentials';
import type { CreditReport } from './credit-headers.ts';

/** The member `credits` of a response: the balance, and the maximum price of the call. */
export interface CreditsBody {
  readonly limit: number;
  /** Null while the balance is unknown. */
  readonly remaining: number | null;
  readonly required: number;
  readonly plan: PlanId;
  readonly reset: string;
}

/** @param required the maximum price of the call. */
export function creditsBody(
  { limit, remaining, plan, resetAt }: Omit<CreditReport, 'charged'> & { readonly plan: PlanId },
  required: number,
): CreditsBody {
  return { limit, remaining: remaining ?? null, required, plan, reset: resetAt.toISOString() };
}

import { type PlanId, SCOPES, type Scope } from '@vcds/credentials';
import { PLANS } from './plans.ts';

/** Whether a caller may use the endpoints of a scope; if not, the reason and the remedy. */
export type Entitlement =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly scope: Scope;
      readonly forbiddenBy: 'plan' | 'key';
      /** For people: whether plan or key forbids it, and the remedy. */
      readonly message: string;
      /** The plans that include the scope, smallest first. */
      readonly plans: readonly PlanId[];
    };

const ALLOWED: Entitlement = Object.freeze({ allowed: true });

/**
 * Whether plan and key both allow a scope (docs/spec/plans.md 13.2). The plan is checked first:
 * where it forbids the scope, another key would not help.
 *
 * @param keyScopes what the key is narrowed to; null: everything its plan allows.
 * @param scope what the endpoint needs; null: any valid key will do.
 */
export function entitled(
  plan: PlanId,
  keyScopes: ReadonlySet<Scope> | null,
  scope: Scope | null,
): Entitlement {
  if (scope === null) return ALLOWED;
  if (!PLANS[plan].entitlements.includes(scope)) {
    const plans = plansWith(scope);
    const message =
      `The ${PLANS[plan].name} plan does not include ${scope}; ` +
      `${plans.map((id) => PLANS[id].name).join(', ')} ${plans.length === 1 ? 'does' : 'do'}.`;
    return { allowed: false, scope, forbiddenBy: 'plan', message, plans };
  }
  if (keyScopes !== null && !keyScopes.has(scope)) {
    const held = SCOPES.filter((each) => keyScopes.has(each)).join(', ');
    const message =
      `This key is restricted to ${held === '' ? 'no scopes' : held} and does not include ` +
      `${scope}; use another key of the account, or create one with it on the account page.`;
    return { allowed: false, scope, forbiddenBy: 'key', message, plans: plansWith(scope) };
  }
  return ALLOWED;
}

function plansWith(scope: Scope): PlanId[] {
  return Object.values(PLANS)
    .filter((plan) => plan.entitlements.includes(scope))
    .map((plan) => plan.id);
}

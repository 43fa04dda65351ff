import { type PlanId, SCOPES, type Scope } from '@vcds/credentials';

/** The pricing plan of an account (docs/spec/plans.md 13.1). */
export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  /** Credits refilled on the first of each month, UTC. */
  readonly creditsPerMonth: number;
  /** The largest page a call may ask for. */
  readonly topMax: number;
  readonly entitlements: readonly Scope[];
}

const LIVE_WORK: readonly Scope[] = ['find', 'venturematching'];
const STARTER_SCOPES = SCOPES.filter((scope) => scope !== 'snapshots');
const FREE_SCOPES = STARTER_SCOPES.filter((scope) => !LIVE_WORK.includes(scope));

const plan = (
  id: PlanId,
  name: string,
  creditsPerMonth: number,
  topMax: number,
  entitlements: readonly Scope[],
): Plan => Object.freeze({ id, name, creditsPerMonth, topMax, entitlements });

/** Every plan, smallest first. No prototype, so that `constructor` is not a plan. */
export const PLANS: Readonly<Record<PlanId, Plan>> = Object.freeze({
  __proto__: null,
  free: plan('free', 'Free', 500, 100, FREE_SCOPES),
  starter: plan('starter', 'Starter', 10_000, 500, STARTER_SCOPES),
  growth: plan('growth', 'Growth', 100_000, 1_000, SCOPES),
  scale: plan('scale', 'Scale', 1_000_000, 5_000, SCOPES),
});

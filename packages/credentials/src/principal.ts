/** The pricing plans, smallest first (docs/spec/plans.md 13.1). */
export const PLAN_IDS = ['free', 'starter', 'growth', 'scale'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

/** The scopes a key may be narrowed to (docs/spec/plans.md 13.3). */
export const SCOPES = [
  'companies',
  'rounds',
  'people',
  'news',
  'signals',
  'snapshots',
  'categories',
  'find',
  'venturematching',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The authenticated caller. */
export interface Principal {
  readonly accountId: string;
  readonly keyId: string;
  readonly plan: PlanId;
  /** The scopes the key is narrowed to; null: everything its plan allows. */
  readonly scopes: ReadonlySet<Scope> | null;
  /** When the key stops working; null: never. */
  readonly expiresAt: Date | null;
}

export function isPlanId(value: unknown): value is PlanId {
  return (PLAN_IDS as readonly unknown[]).includes(value);
}

export function isScope(value: unknown): value is Scope {
  return (SCOPES as readonly unknown[]).includes(value);
}

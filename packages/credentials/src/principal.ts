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
  /** Credits a month that the key may use of its account's; null: all. */
  readonly creditLimit: number | null;
}

export function isPlanId(value: unknown): value is PlanId {
  return (PLAN_IDS as readonly unknown[]).includes(value);
}

export function isScope(value: unknown): value is Scope {
  return (SCOPES as readonly unknown[]).includes(value);
}

/** The greatest monthly limit of a key, in credits. */
export const CREDIT_LIMIT_MAX = 1_000_000_000;

/** Whether a value can be the monthly limit of a key: a whole number of credits from 1. */
export function isCreditLimit(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= CREDIT_LIMIT_MAX;
}

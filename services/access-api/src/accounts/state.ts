import {
  isPlanId,
  isScope,
  type KeyCheck,
  type KeyDigest,
  type PlanId,
  parseDigest,
  type Scope,
} from '@vcds/credentials';
import type { Account, ApiKey } from '../generated/client.ts';

/** The state of a key. */
export interface KeyState {
  readonly keyId: string;
  readonly digest: KeyDigest;
  /** The scopes that the key is narrowed to; null: everything its plan allows. */
  readonly scopes: readonly Scope[] | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Credits a month that the key may use; null: all of its account. */
  readonly creditLimit: number | null;
}

/** The state of an account at a position of its bucket. */
export interface AccountState {
  readonly accountId: string;
  readonly plan: PlanId;
  /** Credits ever purchased. */
  readonly purchasedCredits: number;
  readonly bucket: number;
  readonly position: number;
}

/** The same with the keys that Redis has: {@link snapshotKeys}. */
export interface AccountSnapshot extends AccountState {
  readonly keys: readonly KeyState[];
}

/** A key that has ended stays in Redis this long; the journal keeps it. */
export const ENDED_KEPT_MS = 24 * 60 * 60 * 1000;
/** Keys in one snapshot, newest first: the valid ones and those that have just ended. */
const SNAPSHOT_KEYS_MAX = 1_000;

/** The valid keys, for a query. */
export function liveAt(at: Date) {
  return { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
}

/** The keys of a snapshot, for a query of an account. */
export function snapshotKeys(nowMs: number) {
  const from = new Date(nowMs - ENDED_KEPT_MS);
  const where = { OR: [liveAt(from), { revokedAt: { gt: from } }] };
  return { where, orderBy: { createdAt: 'desc' }, take: SNAPSHOT_KEYS_MAX } as const;
}

/** @throws Error for an account or a key that the journal has in an invalid state. */
export function snapshotOf(account: Account & { readonly keys: ApiKey[] }): AccountSnapshot {
  return { ...stateOf(account), keys: account.keys.map(keyStateOf) };
}

export function stateOf(account: Account): AccountState {
  return {
    accountId: account.id,
    plan: planOf(account),
    purchasedCredits: Number(account.purchasedCredits),
    bucket: account.bucket,
    position: Number(account.position),
  };
}

export function keyStateOf({ id, digest, ...key }: ApiKey): KeyState {
  const parsed = parseDigest(digest);
  if (parsed === undefined) throw new Error(`The journal has no valid digest for key ${id}.`);
  return {
    keyId: id,
    digest: parsed,
    scopes: key.isNarrowed ? key.scopes.filter(isScope) : null,
    expiresAt: key.expiresAt,
    revokedAt: key.revokedAt,
    creditLimit: key.creditLimit,
  };
}

/** The plan of an account. @throws Error for an unknown plan in the journal. */
export function planOf({ id, plan }: Pick<Account, 'id' | 'plan'>): PlanId {
  if (!isPlanId(plan)) throw new Error(`The journal has an unknown plan for account ${id}.`);
  return plan;
}

/** Checks a key by its state and the plan of its account. */
export function evaluateKey(
  { scopes, expiresAt, revokedAt, creditLimit }: Omit<KeyState, 'keyId' | 'digest'>,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  plan: string | null,
  nowMs: number,
): KeyCheck {
  if (revokedAt !== null) return { rejected: 'revoked' };
  if (expiresAt !== null && expiresAt.getTime() <= nowMs) return { rejected: 'expired' };
  if (!isPlanId(plan)) throw new Error(`No plan is stored for account ${accountId}.`);
  const narrowed = scopes === null ? null : new Set(scopes);
  return { principal: { accountId, keyId, plan, scopes: narrowed, expiresAt, creditLimit } };
}

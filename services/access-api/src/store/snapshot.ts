import {
  isPlanId,
  isScope,
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
}

/** The state of an account and all its keys at a position of its bucket. */
export interface AccountSnapshot {
  readonly accountId: string;
  readonly plan: PlanId;
  /** Credits ever purchased. */
  readonly purchasedCredits: number;
  readonly bucket: number;
  readonly position: number;
  readonly keys: readonly KeyState[];
}

/** The owner of a digest, at a position of the digest's bucket. */
export type KeyOwner = ReturnType<typeof ownerOf>;

export function snapshotOf(account: Account & { readonly keys: ApiKey[] }): AccountSnapshot {
  return {
    accountId: account.id,
    plan: planOf(account),
    purchasedCredits: Number(account.purchasedCredits),
    bucket: account.bucket,
    position: Number(account.position),
    keys: account.keys.map(keyStateOf),
  };
}

export function keyStateOf(key: ApiKey): KeyState {
  return {
    keyId: key.id,
    digest: journaledDigest(key),
    scopes: key.isNarrowed ? key.scopes.filter(isScope) : null,
    expiresAt: key.expiresAt,
    revokedAt: key.revokedAt,
  };
}

export function ownerOf(key: ApiKey) {
  return {
    digest: journaledDigest(key),
    accountId: key.accountId,
    keyId: key.id,
    bucket: key.digestBucket,
    position: Number(key.digestPosition),
  };
}

/** The plan of an account. @throws Error for an unknown plan in the journal. */
export function planOf({ id, plan }: Pick<Account, 'id' | 'plan'>): PlanId {
  if (!isPlanId(plan)) throw new Error(`The journal has an unknown plan for account ${id}.`);
  return plan;
}

function journaledDigest({ id, digest }: ApiKey): KeyDigest {
  const parsed = parseDigest(digest);
  if (parsed === undefined) throw new Error(`The journal has no valid digest for key ${id}.`);
  return parsed;
}

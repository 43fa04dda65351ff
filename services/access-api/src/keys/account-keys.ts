import { bucketOfAccount, bucketOfDigest, type Scope } from '@vcds/credentials';
import { type Accounts, newKey } from '../accounts/accounts.ts';
import type { Transaction } from '../store/database.ts';
import {
  issueKey,
  lockBuckets,
  type Recorded,
  record,
  requireAccount,
  unchanged,
} from '../store/journal.ts';
import { keyStateOf, liveAt } from '../store/snapshot.ts';
import type { Stores } from '../store/stores.ts';
import { ACCOUNT_KEY_LIMITS, type Creation, narrowed } from './key-rules.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A key that an owner requests for their account. */
export interface AccountKeyInput {
  readonly accountId: string;
  readonly name?: string | undefined;
  /** Absent: everything the plan allows, now and later. Never empty. */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * Whether the user is still signed in, checked in the transaction, under the lock of the account's
   * bucket: revoking an account ends its sessions under the same lock, so that no key is issued after
   * that. Its errors are those of `create`. Absent: not checked.
   */
  readonly isStillSignedIn?: (tx: Transaction) => Promise<boolean>;
}

/**
 * Changes that an owner makes to the keys of their account, and of no other, as `journal.change`
 * (docs/spec/authentication.md 2.6).
 */
export type AccountKeys = ReturnType<typeof createAccountKeys>;

type AccountKeysOptions = Stores & { readonly accounts: Pick<Accounts, 'revokeKey'> };

export function createAccountKeys(options: AccountKeysOptions) {
  const { journal, history, accounts } = options;
  return {
    /** Issues a key that does not expire. The limits hold for concurrent calls too. */
    create: (input: AccountKeyInput): Promise<Creation> => create(options, input),
    /** `wider`: the scopes are empty, or the key lacks one of them. */
    narrow: async (
      accountId: string,
      keyId: string,
      scopes: ReadonlySet<Scope>,
    ): Promise<'narrowed' | 'unchanged' | 'not_found' | 'ended' | 'wider'> => {
      const input = { accountId, keyId, scopes };
      const { status } = await journal.change((tx, at) => narrowKey(tx, input, at));
      return status;
    },
    /** Idempotent. */
    revoke: async (accountId: string, keyId: string): Promise<'revoked' | 'not_found'> => {
      const key = await history.findKey({ id: keyId });
      if (key === null || key.accountId !== accountId) return 'not_found';
      await accounts.revokeKey(keyId);
      return 'revoked';
    },
  };
}

async function create(
  { journal, clock }: AccountKeysOptions,
  { accountId, name, scopes, isStillSignedIn }: AccountKeyInput,
): Promise<Creation> {
  const { key, issued } = newKey({ accountId, origin: 'account_page', label: name, scopes }, clock);
  return journal.change<Creation & { readonly recorded?: Recorded }>(async (tx, at) => {
    await lockBuckets(tx, [bucketOfAccount(accountId), bucketOfDigest(key.digest)]);
    if ((await isStillSignedIn?.(tx)) === false) return { status: 'signed_out' };
    const reached = await limitReached(tx, accountId, at);
    if (reached !== undefined) return reached;
    return { status: 'created', key: issued, recorded: await issueKey(tx, key, at) };
  });
}

// Under the lock of the account's bucket: no other transaction issues a key of it meanwhile.
async function limitReached(
  tx: Transaction,
  accountId: string,
  at: Date,
): Promise<Exclude<Creation, { status: 'created' }> | undefined> {
  const live = await tx.apiKey.count({ where: { accountId, ...liveAt(at) } });
  if (live >= ACCOUNT_KEY_LIMITS.liveMax) return { status: 'too_many_live' };
  const since = new Date(at.getTime() - DAY_MS);
  const today = await tx.apiKey.count({
    where: { accountId, origin: 'account_page', createdAt: { gt: since } },
  });
  return today >= ACCOUNT_KEY_LIMITS.perDayMax ? { status: 'too_many_today' } : undefined;
}

/** The result of narrowing a key. `wider`: the scopes are empty, or the key lacks one of them. */
export type Narrowing =
  | { readonly status: 'narrowed' | 'unchanged'; readonly recorded: Recorded }
  | { readonly status: 'not_found' | 'ended' | 'wider'; readonly recorded?: undefined };

interface NarrowInput {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * The journal's step that narrows an active key of the account. It checks and commits under the
 * lock of the account's bucket, so that concurrent calls can only remove scopes
 * (docs/spec/plans.md 13.3).
 */
export async function narrowKey(
  tx: Transaction,
  { accountId, keyId, scopes }: NarrowInput,
  at: Date,
): Promise<Narrowing> {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const key = await tx.apiKey.findUnique({ where: { id: keyId } });
  if (key === null || key.accountId !== accountId) return { status: 'not_found' };
  const { scopes: held, expiresAt, revokedAt } = keyStateOf(key);
  if (revokedAt !== null || (expiresAt !== null && expiresAt <= at)) return { status: 'ended' };
  const left = narrowed(held, scopes);
  if (left === undefined) return { status: 'wider' };
  if (left === null || left.length === held?.length) {
    // Even if unchanged: an earlier attempt may have failed after the journal.
    const recorded = unchanged(await requireAccount(tx, accountId), [key]);
    return { status: 'unchanged', recorded: { ...recorded, announced: [keyStateOf(key).digest] } };
  }
  const changed = await tx.apiKey.update({
    where: { id: keyId },
    data: { scopes: [...left], isNarrowed: true },
  });
  const detail = { from: held, to: left };
  const recorded = await record(tx, { accountId, kind: 'key_narrowed', detail, at, keyId });
  const state = keyStateOf(changed);
  return {
    status: 'narrowed',
    recorded: { ...recorded, keys: [state], announced: [state.digest] },
  };
}

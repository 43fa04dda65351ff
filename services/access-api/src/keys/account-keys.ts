import type { Scope } from '@vcds/credentials';
import type { Accounts } from '../accounts/account.ts';
import type { Transaction } from '../accounts/database.ts';
import type { Change } from '../accounts/journal.ts';
import { addKey, countLiveKeys, type KeyLimiting, limitKey, newKey } from '../accounts/key.ts';
import { keyStateOf } from '../accounts/state.ts';
import type { Stores } from '../accounts/stores.ts';
import { ACCOUNT_KEY_LIMITS, type Creation, narrowed } from './key-rules.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A key that an owner requests for their account. */
export interface AccountKeyInput {
  readonly accountId: string;
  readonly name?: string | undefined;
  /** Absent: everything the plan allows, now and later. Never empty. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Absent: the key does not expire. */
  readonly expiresInSeconds?: number;
  /** Credits a month. Absent: all of the account. */
  readonly creditLimit?: number | undefined;
  /**
   * Whether the user is still signed in, checked under the lock of the change: revoking an account
   * ends its sessions under the same lock, so that no key is issued after that. Its errors are those of
   * `create`. Absent: not checked.
   */
  readonly isStillSignedIn?: (tx: Transaction) => Promise<boolean>;
  /** Absent: the account page. */
  readonly origin?: 'oauth';
  /** Part of the same change, before the key is created. */
  readonly before?: (change: Change) => Promise<void>;
  /** Part of the same change, after the key was created. */
  readonly after?: (change: Change, keyId: string) => Promise<void>;
}

/** `wider`: the scopes are empty, or the key lacks one of them. */
export type Narrowing = 'narrowed' | 'unchanged' | 'not_found' | 'ended' | 'wider';

/**
 * Changes that an owner makes to the keys of their account, and of no other, as `journal.change`
 * (docs/spec/authentication.md 2.6).
 */
export type AccountKeys = ReturnType<typeof createAccountKeys>;

type AccountKeysOptions = Pick<Stores, 'journal' | 'history' | 'clock'> & {
  readonly accounts: Pick<Accounts, 'revokeKey'>;
};

export function createAccountKeys({ journal, history, clock, accounts }: AccountKeysOptions) {
  return {
    /** Issues a key. The limits hold for concurrent calls too. */
    create: async (input: AccountKeyInput): Promise<Creation> => {
      const { name, isStillSignedIn, before, after, ...asked } = input;
      const { accountId } = asked;
      const { key, issued } = newKey({ origin: 'account_page', ...asked, label: name }, clock);
      return journal.change(accountId, async (change): Promise<Creation> => {
        if ((await isStillSignedIn?.(change.tx)) === false) return { status: 'signed_out' };
        await before?.(change);
        const status = await limitReached(change);
        if (status !== undefined) return { status };
        await addKey(change, key);
        await after?.(change, key.id);
        return { status: 'created', key: issued };
      });
    },
    /**
     * Narrows an active key. It checks and commits under the lock of the change, so that concurrent
     * calls can only remove scopes (docs/spec/plans.md 13.3).
     */
    narrow: (accountId: string, keyId: string, scopes: ReadonlySet<Scope>): Promise<Narrowing> =>
      journal.change(accountId, (change) => narrowKey(change, keyId, scopes)),
    /** Sets the monthly limit of an active key; null: none. Idempotent. */
    limit: (accountId: string, keyId: string, creditLimit: number | null): Promise<KeyLimiting> =>
      journal.change(accountId, (change) => limitKey(change, keyId, creditLimit)),
    /** Idempotent. */
    revoke: async (accountId: string, keyId: string): Promise<'revoked' | 'not_found'> => {
      const key = await history.findKey({ id: keyId });
      if (key === null || key.accountId !== accountId) return 'not_found';
      await accounts.revokeKey(keyId);
      return 'revoked';
    },
  };
}

async function limitReached(
  change: Change,
): Promise<'too_many_live' | 'too_many_today' | undefined> {
  const { tx, at, account } = change;
  if ((await countLiveKeys(change)) >= ACCOUNT_KEY_LIMITS.liveMax) return 'too_many_live';
  const since = new Date(at.getTime() - DAY_MS);
  const today = await tx.apiKey.count({
    where: {
      accountId: account.id,
      origin: { in: ['account_page', 'oauth'] },
      createdAt: { gt: since },
    },
  });
  return today >= ACCOUNT_KEY_LIMITS.perDayMax ? 'too_many_today' : undefined;
}

/** The step of `narrow`. */
export async function narrowKey(
  change: Change,
  keyId: string,
  scopes: ReadonlySet<Scope>,
): Promise<Narrowing> {
  const { tx, at, account } = change;
  const where = { id: keyId, accountId: account.id };
  const key = await tx.apiKey.findUnique({ where });
  if (key === null) return 'not_found';
  const { scopes: held, expiresAt, revokedAt } = keyStateOf(key);
  if (revokedAt !== null || (expiresAt !== null && expiresAt <= at)) return 'ended';
  const left = narrowed(held, scopes);
  if (left === undefined) return 'wider';
  if (left === null || left.length === held?.length) {
    change.write(key);
    return 'unchanged';
  }
  const data = { scopes: [...left], isNarrowed: true };
  const changed = await tx.apiKey.update({ where, data });
  await change.record({ kind: 'key_narrowed', detail: { from: held, to: left }, keyId });
  change.write(changed);
  return 'narrowed';
}

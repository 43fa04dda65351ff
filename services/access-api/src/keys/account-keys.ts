import { randomUUID } from 'node:crypto';
import {
  bucketOfAccount,
  bucketOfDigest,
  digestOf,
  generateApiKey,
  redactApiKey,
  type Scope,
} from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';
import type { Accounts, IssuedKey } from '../accounts/accounts.ts';
import { bringToRedis } from '../store/bring-to-redis.ts';
import type { Database, Transaction } from '../store/database.ts';
import type { History } from '../store/history.ts';
import { issueKey, lockBuckets } from '../store/journal.ts';
import type { KeyStore } from '../store/key-store.ts';
import { narrowKey } from './narrow-key.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Limits of the keys that an owner may create on the account page. */
export const ACCOUNT_KEY_LIMITS = Object.freeze({
  /** Active keys of an account, of any origin. */
  liveMax: 20,
  /** Keys created on the account page within 24 hours, so that creating and revoking is bounded. */
  perDayMax: 50,
  /** Characters of a key's name. */
  nameLengthMax: 60,
});

/** A key that an owner requests for their account. */
export interface AccountKeyInput {
  readonly accountId: string;
  readonly name?: string | undefined;
  /** Absent: everything the plan allows, now and later. Never empty. */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * Whether the user is still signed in, checked under the lock of the account's bucket: revoking
   * an account ends its sessions first, so that no key is issued after that. Its errors are those
   * of {@link AccountKeys.create}. Absent: not checked.
   */
  readonly isStillSignedIn?: () => Promise<boolean>;
}

export type Creation =
  | { readonly status: 'created'; readonly key: IssuedKey }
  | { readonly status: 'too_many_live' | 'too_many_today' | 'signed_out' };

/**
 * Changes that an owner makes to the keys of their account, and of no other. Each is committed to
 * the journal, then applied to Redis, then announced to every data-api; it is in effect when the
 * method resolves (docs/spec/authentication.md 2.6).
 */
export interface AccountKeys {
  /** Issues a key that does not expire. The limits hold for concurrent calls too. */
  create(input: AccountKeyInput): Promise<Creation>;
  /** `wider`: the scopes are empty, or the key lacks one of them. */
  narrow(
    accountId: string,
    keyId: string,
    scopes: ReadonlySet<Scope>,
  ): Promise<'narrowed' | 'unchanged' | 'not_found' | 'ended' | 'wider'>;
  /** Idempotent. */
  revoke(accountId: string, keyId: string): Promise<'revoked' | 'not_found'>;
}

export interface AccountKeysOptions {
  readonly database: Database;
  readonly history: History;
  readonly store: KeyStore;
  readonly accounts: Pick<Accounts, 'revokeKey'>;
  readonly clock: Clock;
}

export function createAccountKeys(options: AccountKeysOptions): AccountKeys {
  const { database, history, store, accounts, clock } = options;
  return {
    create: (input) => create(options, input),
    narrow: async (accountId, keyId, scopes) => {
      const at = new Date(clock.wallMs());
      const input = { accountId, keyId, scopes };
      const result = await database.$transaction((tx) => narrowKey(tx, input, at));
      if (!('recorded' in result)) return result.status;
      // Even if unchanged: an earlier attempt may have failed after the journal.
      await bringToRedis({ history, store }, result.recorded);
      const key = result.recorded.account.keys.find((state) => state.keyId === keyId);
      if (key !== undefined) await store.announce([key.digest]);
      return result.status;
    },
    revoke: async (accountId, keyId) => {
      const key = await history.findKey({ id: keyId });
      if (key === null || key.accountId !== accountId) return 'not_found';
      await accounts.revokeKey(keyId);
      return 'revoked';
    },
  };
}

async function create(
  { database, history, store, clock }: AccountKeysOptions,
  { accountId, name, scopes, isStillSignedIn }: AccountKeyInput,
): Promise<Creation> {
  const apiKey = generateApiKey();
  const digest = digestOf(apiKey);
  const keyId = randomUUID();
  const at = new Date(clock.wallMs());
  const recorded = await database.$transaction(async (tx) => {
    await lockBuckets(tx, [bucketOfAccount(accountId), bucketOfDigest(digest)]);
    if ((await isStillSignedIn?.()) === false) return { status: 'signed_out' as const };
    const reached = await limitReached(tx, accountId, at);
    if (reached !== undefined) return reached;
    return issueKey(
      tx,
      {
        id: keyId,
        accountId,
        digest,
        hint: redactApiKey(apiKey),
        label: name ?? null,
        origin: 'account_page',
        scopes: scopes ?? null,
        expiresAt: null,
      },
      at,
    );
  });
  if ('status' in recorded) return recorded;
  await bringToRedis({ history, store }, recorded);
  return { status: 'created', key: { apiKey, keyId, accountId, expiresAt: null } };
}

// Under the lock of the account's bucket: no other transaction issues a key of it meanwhile.
async function limitReached(
  tx: Transaction,
  accountId: string,
  at: Date,
): Promise<Exclude<Creation, { status: 'created' }> | undefined> {
  const isActive = { OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
  const live = await tx.apiKey.count({ where: { accountId, revokedAt: null, ...isActive } });
  if (live >= ACCOUNT_KEY_LIMITS.liveMax) return { status: 'too_many_live' };
  const since = new Date(at.getTime() - DAY_MS);
  const today = await tx.apiKey.count({
    where: { accountId, origin: 'account_page', createdAt: { gt: since } },
  });
  return today >= ACCOUNT_KEY_LIMITS.perDayMax ? { status: 'too_many_today' } : undefined;
}

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

/** Bounds of what an account's owner may make on the account page. */
export const ACCOUNT_KEY_LIMITS = Object.freeze({
  /** Keys of an account that work at a time, whoever made them. */
  liveMax: 20,
  /** Keys made on the account page in any 24 hours, so that making and revoking has an end. */
  perDayMax: 50,
  /** Characters of a key's name. */
  nameLengthMax: 60,
});

/** A key somebody wants for their own account. */
export interface AccountKeyWish {
  readonly accountId: string;
  readonly name?: string | undefined;
  /** Absent: everything the plan allows, now and later. Never empty. */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * Asked while nobody else can change keys of the account: whether whoever wants the key is still
   * signed in. A revocation of the account ends its sessions first, so no key is made behind it.
   * What it rejects with, {@link AccountKeys.create} rejects with. Absent: yes.
   */
  readonly isStillSignedIn?: () => Promise<boolean>;
}

export type Creation =
  | { readonly status: 'created'; readonly key: IssuedKey }
  | { readonly status: 'too_many_live' | 'too_many_today' | 'signed_out' };

/**
 * What an account's owner does with its keys. Like every change of keys, each is committed to the
 * journal, then brought to Redis, then announced to every data-api (docs/spec/authentication.md
 * 2.6); a method resolves when it is in force. Nobody reaches a key of another account.
 */
export interface AccountKeys {
  /** A key that does not expire. The bounds hold however many ask at once. */
  create(wish: AccountKeyWish): Promise<Creation>;
  /** `wider`: the scopes are none, or not all among those the key has. */
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
    create: (wish) => create(options, wish),
    narrow: async (accountId, keyId, scopes) => {
      const at = new Date(clock.wallMs());
      const wish = { accountId, keyId, scopes };
      const result = await database.$transaction((tx) => narrowKey(tx, wish, at));
      if (!('recorded' in result)) return result.status;
      // Also when unchanged: an earlier try may have got no further than the journal.
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
  { accountId, name, scopes, isStillSignedIn }: AccountKeyWish,
): Promise<Creation> {
  const apiKey = generateApiKey();
  const digest = digestOf(apiKey);
  const keyId = randomUUID();
  const at = new Date(clock.wallMs());
  const recorded = await database.$transaction(async (tx) => {
    await lockBuckets(tx, [bucketOfAccount(accountId), bucketOfDigest(digest)]);
    if ((await isStillSignedIn?.()) === false) return { status: 'signed_out' as const };
    const refusal = await refusalFor(tx, accountId, at);
    if (refusal !== undefined) return refusal;
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

// Under the lock of the account's bucket, so nobody else makes a key of it meanwhile.
async function refusalFor(
  tx: Transaction,
  accountId: string,
  at: Date,
): Promise<Exclude<Creation, { status: 'created' }> | undefined> {
  const stillWorks = { OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
  const live = await tx.apiKey.count({ where: { accountId, revokedAt: null, ...stillWorks } });
  if (live >= ACCOUNT_KEY_LIMITS.liveMax) return { status: 'too_many_live' };
  const since = new Date(at.getTime() - DAY_MS);
  const today = await tx.apiKey.count({
    where: { accountId, origin: 'account_page', createdAt: { gt: since } },
  });
  return today >= ACCOUNT_KEY_LIMITS.perDayMax ? { status: 'too_many_today' } : undefined;
}

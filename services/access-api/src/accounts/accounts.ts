import { randomUUID } from 'node:crypto';
import {
  type ApiKey,
  digestOf,
  generateApiKey,
  type KeyDigest,
  type PlanId,
  redactApiKey,
  type Scope,
} from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';
import { bringToRedis } from '../store/bring-to-redis.ts';
import type { History } from '../store/history.ts';
import type { Journal, KeyOrigin, Recorded } from '../store/journal.ts';
import type { KeyStore } from '../store/key-store.ts';

export interface AccountsOptions {
  readonly journal: Journal;
  readonly history: History;
  readonly store: KeyStore;
  readonly clock: Clock;
}

export interface KeyWish {
  readonly accountId: string;
  readonly origin: KeyOrigin;
  readonly label?: string | undefined;
  /** Absent: everything the plan allows. Never empty. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Absent: the key does not expire. */
  readonly expiresInSeconds?: number | undefined;
}

/** A new key. The only place where its text exists; whoever gets it must show it now. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly keyId: string;
  readonly accountId: string;
  readonly expiresAt: Date | null;
}

/**
 * What changes accounts and keys. Each change is committed to the journal, then brought to Redis,
 * then announced to every data-api; a method resolves when it is in force. Rejects with
 * `JournalError` where the journal does; any other rejection after the commit leaves the change
 * recorded, and access-api brings it into force by itself.
 */
export interface Accounts {
  create(account: { id?: string; email?: string; name?: string; plan: PlanId }): Promise<string>;
  setPlan(accountId: string, plan: PlanId): Promise<void>;
  issueKey(wish: KeyWish): Promise<IssuedKey>;
  /** Idempotent. */
  revokeKey(keyId: string): Promise<void>;
}

export function createAccounts({ journal, history, store, clock }: AccountsOptions): Accounts {
  const bring = (recorded: Recorded): Promise<void> => bringToRedis({ history, store }, recorded);
  return {
    create: async ({ id = randomUUID(), email, name, plan }) => {
      const account = { id, email: email ?? null, name: name ?? null, plan };
      await bring(await journal.createAccount(account));
      return id;
    },
    setPlan: async (accountId, plan) => {
      const recorded = await journal.setPlan(accountId, plan);
      await bring(recorded);
      await store.announce(liveDigests(recorded));
    },
    issueKey: async (wish) => {
      const { accountId } = wish;
      const apiKey = generateApiKey();
      const keyId = randomUUID();
      const expiresAt = expiryOf(wish, clock);
      const recorded = await journal.issueKey({
        id: keyId,
        accountId,
        digest: digestOf(apiKey),
        hint: redactApiKey(apiKey),
        label: wish.label ?? null,
        origin: wish.origin,
        scopes: wish.scopes ?? null,
        expiresAt,
      });
      await bring(recorded);
      return { apiKey, keyId, accountId, expiresAt };
    },
    revokeKey: async (keyId) => {
      const recorded = await journal.revokeKey(keyId);
      await bring(recorded);
      const key = recorded.account.keys.find((state) => state.keyId === keyId);
      if (key === undefined) throw new Error(`Key ${keyId} is revoked, but was not announced.`);
      await store.announce([key.digest]);
    },
  };
}

function expiryOf({ expiresInSeconds }: KeyWish, clock: Clock): Date | null {
  if (expiresInSeconds === undefined) return null;
  return new Date(clock.wallMs() + expiresInSeconds * 1000);
}

function liveDigests({ account }: Recorded): KeyDigest[] {
  return account.keys.filter((key) => key.revokedAt === null).map((key) => key.digest);
}

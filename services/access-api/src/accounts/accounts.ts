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
import type { KeyOrigin, NewKey, Recorded } from '../store/journal.ts';
import { bringToRedis, type Stores } from '../store/stores.ts';

type AccountInput = Partial<Record<'id' | 'email' | 'name', string>> & { readonly plan: PlanId };

export interface KeyInput {
  readonly accountId: string;
  readonly origin: KeyOrigin;
  readonly label?: string | undefined;
  /** Absent: everything the plan allows. Never empty. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Absent: the key does not expire. */
  readonly expiresInSeconds?: number | undefined;
}

/** A new key, and the only copy of its text. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly keyId: string;
  readonly accountId: string;
  readonly expiresAt: Date | null;
}

/**
 * Changes accounts and keys. Each change is committed to the journal, then applied to Redis, then
 * announced to every data-api; it is in effect when the method resolves. Rejects with
 * `JournalError` as the journal does. After any other error the change may be recorded; access-api
 * then applies it.
 */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ journal, history, store, clock }: Stores) {
  const bring = (recorded: Recorded): Promise<void> => bringToRedis({ history, store }, recorded);
  return {
    create: async ({ id = randomUUID(), email, name, plan }: AccountInput): Promise<string> => {
      const account = { id, email: email ?? null, name: name ?? null, plan };
      await bring(await journal.createAccount(account));
      return id;
    },
    setPlan: async (accountId: string, plan: PlanId): Promise<void> => {
      const recorded = await journal.setPlan(accountId, plan);
      await bring(recorded);
      await store.announce(liveDigests(recorded));
    },
    issueKey: async (input: KeyInput): Promise<IssuedKey> => {
      const { key, issued } = newKey(input, clock);
      await bring(await journal.issueKey(key));
      return issued;
    },
    /** Idempotent. */
    revokeKey: async (keyId: string): Promise<void> => {
      const recorded = await journal.revokeKey(keyId);
      await bring(recorded);
      const key = recorded.account.keys.find((state) => state.keyId === keyId);
      if (key === undefined)
        throw new Error(`Key ${keyId} is revoked, but the change was not announced.`);
      await store.announce([key.digest]);
    },
  };
}

/** A new key: what the journal records, and what its owner gets. */
export function newKey(
  input: KeyInput,
  clock: Clock,
): { readonly key: NewKey; readonly issued: IssuedKey } {
  const { accountId, origin, label = null, scopes = null } = input;
  const apiKey = generateApiKey();
  const keyId = randomUUID();
  const expiresAt = expiryOf(input, clock);
  const key = { id: keyId, accountId, digest: digestOf(apiKey), hint: redactApiKey(apiKey) };
  return {
    key: { ...key, label, origin, scopes, expiresAt },
    issued: { apiKey, keyId, accountId, expiresAt },
  };
}

function expiryOf({ expiresInSeconds }: KeyInput, clock: Clock): Date | null {
  if (expiresInSeconds === undefined) return null;
  return new Date(clock.wallMs() + expiresInSeconds * 1000);
}

function liveDigests({ account }: Recorded): KeyDigest[] {
  return account.keys.filter((key) => key.revokedAt === null).map((key) => key.digest);
}

import { randomUUID } from 'node:crypto';
import {
  type ApiKey,
  digestOf,
  generateApiKey,
  type PlanId,
  redactApiKey,
  type Scope,
} from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';
import {
  createAccount,
  issueKey,
  type KeyOrigin,
  type NewKey,
  revokeKey,
  setPlan,
  throwTaken,
} from '../store/journal.ts';
import type { Stores } from '../store/stores.ts';

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

/** Changes accounts and keys, as `journal.change`. */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ journal, clock }: Pick<Stores, 'journal' | 'clock'>) {
  return {
    create: async ({ id = randomUUID(), email, name, plan }: AccountInput): Promise<string> => {
      const account = { id, email: email ?? null, name: name ?? null, plan };
      await journal
        .change(async (tx, at) => ({ recorded: await createAccount(tx, account, at) }))
        .catch(throwTaken);
      return id;
    },
    setPlan: async (accountId: string, plan: PlanId): Promise<void> => {
      await journal.change(async (tx, at) => ({
        recorded: await setPlan(tx, accountId, plan, at),
      }));
    },
    /** @throws TooManyKeys */
    issueKey: async (input: KeyInput): Promise<IssuedKey> => {
      const { key, issued } = newKey(input, clock);
      await journal.change(async (tx, at) => ({ recorded: await issueKey(tx, key, at) }));
      return issued;
    },
    /** Idempotent. */
    revokeKey: async (keyId: string): Promise<void> => {
      await journal.change(async (tx, at) => ({ recorded: await revokeKey(tx, keyId, at) }));
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

import { randomUUID } from 'node:crypto';
import {
  type ApiKey,
  digestOf,
  generateApiKey,
  type KeyDigest,
  redactApiKey,
  type Scope,
} from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';
import { type Change, JournalError } from './journal.ts';
import { liveAt } from './state.ts';

/** Valid keys of an account, of any origin; a further one is an error (docs/spec/authentication.md 2.4). */
export const LIVE_KEYS_MAX = 100;

/** The account has as many valid keys as it may have. */
export class TooManyKeys extends JournalError {}

export interface KeyInput {
  readonly accountId: string;
  readonly origin:
    | 'operator'
    | 'registration'
    | 'account_page'
    | 'demonstration'
    | 'login'
    | 'oauth';
  readonly label?: string | undefined;
  /** Absent: everything the plan allows. Never empty. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Absent: the key does not expire. */
  readonly expiresInSeconds?: number | undefined;
  /** Credits a month that the key may use. Absent: all of the account. */
  readonly creditLimit?: number | undefined;
}

/** A new key, and the only copy of its text. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly keyId: string;
  readonly accountId: string;
  readonly expiresAt: Date | null;
}

/** A new key as the journal records it. */
export interface NewKey {
  readonly id: string;
  readonly digest: KeyDigest;
  /** The first characters, by which the owner distinguishes keys. */
  readonly hint: string;
  readonly label: string | null;
  readonly origin: KeyInput['origin'];
  /** null: everything the plan allows. */
  readonly scopes: readonly Scope[] | null;
  readonly expiresAt: Date | null;
  /** Credits a month; null: all of the account. */
  readonly creditLimit: number | null;
}

/** Makes a key: for the journal, and for its owner. */
export function newKey(
  { accountId, origin, label, scopes, expiresInSeconds, creditLimit }: KeyInput,
  clock: Clock,
): { readonly key: NewKey; readonly issued: IssuedKey } {
  const apiKey = generateApiKey();
  const id = randomUUID();
  const expiresAt =
    expiresInSeconds === undefined ? null : new Date(clock.wallMs() + expiresInSeconds * 1000);
  const [digest, hint] = [digestOf(apiKey), redactApiKey(apiKey)];
  return {
    key: {
      ...{ id, digest, hint, origin, expiresAt },
      ...{ label: label ?? null, scopes: scopes ?? null, creditLimit: creditLimit ?? null },
    },
    issued: { apiKey, keyId: id, accountId, expiresAt },
  };
}

/** Adds a key to the account of a change. @throws TooManyKeys */
export async function addKey(change: Change, { id: keyId, ...key }: NewKey): Promise<void> {
  const { tx, at, account } = change;
  const live = await countLiveKeys(change);
  if (live >= LIVE_KEYS_MAX) {
    throw new TooManyKeys(
      `The account has ${live} active keys; the maximum is ${LIVE_KEYS_MAX}. Revoke one first.`,
    );
  }
  const scopes = [...(key.scopes ?? [])];
  const isNarrowed = key.scopes !== null;
  const row = { ...key, id: keyId, accountId: account.id, scopes, isNarrowed, createdAt: at };
  const created = await tx.apiKey.create({ data: row });
  const detail = { ...key, expiresAt: key.expiresAt?.toISOString() ?? null };
  await change.record({ kind: 'key_issued', detail, keyId });
  change.write(created);
}

/** Revokes a key of the account. Idempotent: keeps the time of the first revocation. */
export async function endKey(change: Change, keyId: string): Promise<void> {
  const { tx, at, account } = change;
  const where = { id: keyId, accountId: account.id };
  const key = await tx.apiKey.findUniqueOrThrow({ where });
  if (key.revokedAt !== null) {
    change.write(key);
    return;
  }
  const revoked = await tx.apiKey.update({ where, data: { revokedAt: at } });
  await change.record({ kind: 'key_revoked', detail: {}, keyId });
  change.write(revoked);
}

/** `ended`: the key was revoked or has expired. */
export type KeyLimiting = 'limited' | 'not_found' | 'ended';

/** Sets the monthly limit of a valid key of the account; null: none. Idempotent. */
export async function limitKey(
  change: Change,
  keyId: string,
  creditLimit: number | null,
): Promise<KeyLimiting> {
  const { tx, at, account } = change;
  const where = { id: keyId, accountId: account.id };
  const key = await tx.apiKey.findUnique({ where });
  if (key === null) return 'not_found';
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= at)) return 'ended';
  if (key.creditLimit === creditLimit) {
    change.write(key);
    return 'limited';
  }
  const limited = await tx.apiKey.update({ where, data: { creditLimit } });
  const detail = { from: key.creditLimit, to: creditLimit };
  await change.record({ kind: 'key_limited', detail, keyId });
  change.write(limited);
  return 'limited';
}

/** The number of valid keys of the account. */
export function countLiveKeys({ tx, at, account }: Change): Promise<number> {
  return tx.apiKey.count({ where: { accountId: account.id, ...liveAt(at) } });
}

/** The valid keys of the account. */
export function liveKeys({ tx, at, account }: Change) {
  // More than LIVE_KEYS_MAX can only be there from before the bound.
  return tx.apiKey.findMany({
    where: { accountId: account.id, ...liveAt(at) },
    orderBy: { createdAt: 'desc' },
    take: 10 * LIVE_KEYS_MAX,
  });
}

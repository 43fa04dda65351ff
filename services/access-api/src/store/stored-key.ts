import { isScope, type Scope } from '@vcds/credentials';
import type { KeyState } from './snapshot.ts';

/** A key as stored in Redis, under its account. */
export interface StoredKey {
  readonly scopes: readonly Scope[] | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export function encodeStoredKey({ scopes, expiresAt, revokedAt }: KeyState): string {
  return JSON.stringify({ scopes, expiresAt, revokedAt });
}

/** @throws Error for any other text, so that the key is not accepted. */
export function decodeStoredKey(text: string): StoredKey {
  const { scopes, expiresAt, revokedAt } = JSON.parse(text) as Record<string, unknown>;
  if (scopes !== null && !(Array.isArray(scopes) && scopes.every(isScope))) {
    throw new Error('A key in Redis has invalid scopes.');
  }
  return { scopes, expiresAt: instant(expiresAt), revokedAt: instant(revokedAt) };
}

function instant(value: unknown): Date | null {
  if (value === null) return null;
  const date = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(date.getTime())) throw new Error('A key in Redis has an invalid date.');
  return date;
}

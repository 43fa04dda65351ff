import { type KeyDigest, parseDigest } from './api-key.ts';
import { parseTokenId } from './legacy-token.ts';
import { isPlanId, isScope, type Principal } from './principal.ts';

/** Where access-api answers key checks, on its internal listener. */
export const KEY_CHECK_PATH = '/internal/v1/keys/check';
/** Who may ask, and whom. */
export const KEY_CHECK_PARTIES = Object.freeze({ issuer: 'data-api', audience: 'access-api' });

/** Why a well-formed key is refused. */
export type KeyRefusal = 'unknown' | 'revoked' | 'expired';

/** What is asked. */
export interface KeyCheckRequest {
  readonly digest: KeyDigest;
  /** The token of the older exchange the key was presented through, which must be on record. */
  readonly tokenId?: string | undefined;
}

/** What a check found. */
export type KeyCheck = { readonly principal: Principal } | { readonly refused: KeyRefusal };

/** The JSON of a question. */
export function encodeKeyCheckRequest({ digest, tokenId }: KeyCheckRequest): string {
  return JSON.stringify({ digest, token_id: tokenId });
}

/** The question in a body that was parsed as JSON; undefined when it holds none. */
export function decodeKeyCheckRequest(body: unknown): KeyCheckRequest | undefined {
  if (!isRecord(body)) return undefined;
  const digest = parseDigest(body.digest);
  if (digest === undefined) return undefined;
  if (body.token_id === undefined) return { digest };
  const tokenId = parseTokenId(body.token_id);
  return tokenId === undefined ? undefined : { digest, tokenId };
}

/** The JSON of a check's result. */
export function encodeKeyCheck(check: KeyCheck): string {
  if ('refused' in check) return JSON.stringify({ refused: check.refused });
  const { scopes, expiresAt, ...rest } = check.principal;
  return JSON.stringify({
    principal: {
      ...rest,
      scopes: scopes === null ? null : [...scopes],
      expiresAt: expiresAt === null ? null : expiresAt.toISOString(),
    },
  });
}

/** Reads the JSON of a check's result. Anything unexpected is an error, never a principal. */
export function decodeKeyCheck(text: string): KeyCheck {
  const body: unknown = JSON.parse(text);
  if (!isRecord(body)) throw unreadable();
  const { refused, principal } = body;
  if (refused === 'unknown' || refused === 'revoked' || refused === 'expired') return { refused };
  if (!isRecord(principal)) throw unreadable();
  return { principal: decodePrincipal(principal) };
}

function decodePrincipal(record: Record<string, unknown>): Principal {
  const { accountId, keyId, plan, scopes, expiresAt } = record;
  if (typeof accountId !== 'string' || typeof keyId !== 'string') throw unreadable();
  if (!isPlanId(plan)) throw unreadable();
  if (scopes !== null && !(Array.isArray(scopes) && scopes.every(isScope))) throw unreadable();
  return Object.freeze({
    accountId,
    keyId,
    plan,
    scopes: scopes === null ? null : new Set(scopes),
    expiresAt: decodeInstant(expiresAt),
  });
}

function decodeInstant(value: unknown): Date | null {
  if (value === null) return null;
  const instant = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(instant.getTime())) throw unreadable();
  return instant;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(): Error {
  return new Error('The answer to a key check is not readable.');
}

import { type KeyDigest, parseDigest } from './api-key.ts';
import { parseTokenId } from './legacy-token.ts';
import { isCreditLimit, isPlanId, isScope, type Principal } from './principal.ts';

/** The path of key checks on access-api's internal listener. */
export const KEY_CHECK_PATH = '/internal/v1/keys/check';
/** The issuer and the audience of service tokens for key checks. */
export const KEY_CHECK_PARTIES = Object.freeze({ issuer: 'data-api', audience: 'access-api' });

const RESOURCE_LENGTH_MAX = 1_000;

/** Why a well-formed key is rejected. */
export type KeyRejection = 'unknown' | 'revoked' | 'expired';

/** The body of a key check. */
export interface KeyCheckRequest {
  readonly digest: KeyDigest;
  /** The token of the older exchange the key was presented through, which must be on record. */
  readonly tokenId?: string | undefined;
  /** The digest is that of an access token, for this resource. */
  readonly resource?: string | undefined;
}

/** The result of a key check. */
export type KeyCheck = { readonly principal: Principal } | { readonly rejected: KeyRejection };

/** Encodes the body of a key check as JSON. */
export function encodeKeyCheckRequest({ digest, tokenId, resource }: KeyCheckRequest): string {
  return JSON.stringify({ digest, token_id: tokenId, resource });
}

/** Decodes the parsed JSON body of a key check; undefined if it is malformed. */
export function decodeKeyCheckRequest(body: unknown): KeyCheckRequest | undefined {
  if (!isRecord(body)) return undefined;
  const digest = parseDigest(body.digest);
  if (digest === undefined) return undefined;
  const { resource } = body;
  if (resource !== undefined) {
    const isText = typeof resource === 'string' && resource.length <= RESOURCE_LENGTH_MAX;
    return isText && body.token_id === undefined ? { digest, resource } : undefined;
  }
  if (body.token_id === undefined) return { digest };
  const tokenId = parseTokenId(body.token_id);
  return tokenId === undefined ? undefined : { digest, tokenId };
}

/** Encodes the result of a key check as JSON. */
export function encodeKeyCheck(check: KeyCheck): string {
  if ('rejected' in check) return JSON.stringify({ rejected: check.rejected });
  const { scopes, expiresAt, ...rest } = check.principal;
  return JSON.stringify({
    principal: {
      ...rest,
      scopes: scopes === null ? null : [...scopes],
      expiresAt: expiresAt === null ? null : expiresAt.toISOString(),
    },
  });
}

/** Decodes the result of a key check. @throws Error for any unexpected JSON. */
export function decodeKeyCheck(text: string): KeyCheck {
  const body: unknown = JSON.parse(text);
  if (!isRecord(body)) throw unreadable();
  const { rejected, principal } = body;
  if (rejected === 'unknown' || rejected === 'revoked' || rejected === 'expired')
    return { rejected };
  if (!isRecord(principal)) throw unreadable();
  return { principal: decodePrincipal(principal) };
}

function decodePrincipal(record: Record<string, unknown>): Principal {
  // A service of an earlier version does not send the limit.
  const { accountId, keyId, plan, scopes, expiresAt, creditLimit = null } = record;
  if (typeof accountId !== 'string' || typeof keyId !== 'string') throw unreadable();
  if (!isPlanId(plan)) throw unreadable();
  if (scopes !== null && !(Array.isArray(scopes) && scopes.every(isScope))) throw unreadable();
  if (creditLimit !== null && !isCreditLimit(creditLimit)) throw unreadable();
  return Object.freeze({
    accountId,
    keyId,
    plan,
    scopes: scopes === null ? null : new Set(scopes),
    expiresAt: decodeInstant(expiresAt),
    creditLimit,
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
  return new Error('The response to a key check is malformed.');
}

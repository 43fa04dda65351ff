import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { type KeyDigest, parseDigest } from './api-key.ts';
import { publishedKey } from './jwks.ts';
import { systemClock, type WallClock } from './wall-clock.ts';

const ALGORITHM = 'RS256';
const ISSUER = 'vcds-access-api';
const AUDIENCE = 'vcds';
/** Lifetime of a token of the older exchange (docs/spec/legacy-tokens.md 15.3). */
export const LEGACY_TOKEN_SECONDS = 3_600;
const CLOCK_SKEW_SECONDS = 5;
const TOKEN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The claims of a token of the older exchange (docs/spec/legacy-tokens.md 15.3). */
export interface LegacyToken {
  /** Its `jti`, a UUID: access-api stores it for the lifetime of the token. */
  readonly tokenId: string;
  readonly accountId: string;
  /** The key it was created from. The token has its permissions and becomes invalid with it. */
  readonly digest: KeyDigest;
  readonly expiresAt: Date;
}

/** The result of reading a token. An expired token is still decoded. */
export type LegacyTokenReading =
  | { readonly status: 'current' | 'expired'; readonly token: LegacyToken }
  /** Not a token of this service: wrong algorithm, key, signature, issuer, audience or claims. */
  | { readonly status: 'foreign' };

/** Finds a published public key by its `kid`; undefined if there is none. */
export type FindKey = (kid: string) => KeyObject | undefined | Promise<KeyObject | undefined>;

/** A new token, signed with RS256, valid for an hour from now. */
export function signLegacyToken(
  { tokenId, accountId, digest }: Omit<LegacyToken, 'expiresAt'>,
  privateKey: KeyObject,
  clock: WallClock = systemClock,
): string {
  const iat = Math.floor(clock.wallMs() / 1000);
  return jwt.sign({ key: digest, iat, exp: iat + LEGACY_TOKEN_SECONDS }, privateKey, {
    algorithm: ALGORITHM,
    keyid: publishedKey(privateKey).kid,
    issuer: ISSUER,
    audience: AUDIENCE,
    subject: accountId,
    jwtid: tokenId,
  });
}

/**
 * Reads a token. Its algorithm must be RS256 regardless of its header, its key published, signature,
 * issuer and audience valid, and its lifetime at most an hour. Does not check whether its key is
 * still valid. Rejects only if `findKey` rejects.
 */
export async function readLegacyToken(
  text: string,
  findKey: FindKey,
  clock: WallClock = systemClock,
): Promise<LegacyTokenReading> {
  const kid = keyIdOf(text);
  const key = kid === undefined ? undefined : await findKey(kid);
  const nowSeconds = Math.floor(clock.wallMs() / 1000);
  const claims = key === undefined ? undefined : verified(text, key, nowSeconds);
  const token = claims === undefined ? undefined : tokenIn(claims, nowSeconds);
  if (token === undefined) return { status: 'foreign' };
  const isOver = token.expiresAt.getTime() <= clock.wallMs();
  return { status: isOver ? 'expired' : 'current', token };
}

// Read before the signature is verified, only to select one of the published keys.
function keyIdOf(text: string): string | undefined {
  try {
    const [header = ''] = text.split('.');
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) ?? {};
    return alg === ALGORITHM && typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

function verified(text: string, key: KeyObject, nowSeconds: number): jwt.JwtPayload | undefined {
  try {
    const claims = jwt.verify(text, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      clockTimestamp: nowSeconds,
      ignoreExpiration: true,
      complete: false,
    });
    return typeof claims === 'string' ? undefined : claims;
  } catch {
    return undefined;
  }
}

function tokenIn(claims: jwt.JwtPayload, nowSeconds: number): LegacyToken | undefined {
  const { sub: accountId, iat, exp } = claims;
  const tokenId = parseTokenId(claims.jti);
  const digest = parseDigest(claims.key);
  if (tokenId === undefined || digest === undefined || typeof accountId !== 'string') return;
  if (!Number.isFinite(iat) || !Number.isFinite(exp)) return;
  const [madeAt, endsAt] = [Number(iat), Number(exp)];
  if (endsAt - madeAt > LEGACY_TOKEN_SECONDS || madeAt > nowSeconds + CLOCK_SKEW_SECONDS) return;
  return { tokenId, accountId, digest, expiresAt: new Date(endsAt * 1000) };
}

/** The `jti`, if the value has the form of one. */
export function parseTokenId(value: unknown): string | undefined {
  return typeof value === 'string' && TOKEN_ID.test(value) ? value : undefined;
}

import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** Where access-api publishes the keys its tokens can be checked with (RFC 7517). */
export const JWKS_PATH = '/.well-known/jwks.json';
/** RSA keys shorter than this, in bits, are neither used nor trusted (RFC 7518 §3.3). */
const RSA_BITS_MIN = 2_048;
const KEYS_MAX = 20;

/** A public RSA key as it is published. */
export interface PublishedKey {
  readonly kty: 'RSA';
  readonly use: 'sig';
  readonly alg: 'RS256';
  /** The key's own thumbprint (RFC 7638), so that a `kid` identifies one key. */
  readonly kid: string;
  readonly n: string;
  readonly e: string;
}

/** Public keys by their `kid`. */
export type KeySet = ReadonlyMap<string, KeyObject>;

/** The published part of a key. @throws TypeError unless it is an RSA key of at least 2,048 bits. */
export function publishedKey(key: KeyObject): PublishedKey {
  assertUsable(key);
  const { n = '', e = '' } = (key.type === 'private' ? createPublicKey(key) : key).export({
    format: 'jwk',
  });
  const thumbprint = createHash('sha256').update(JSON.stringify({ e, kty: 'RSA', n }));
  return { kty: 'RSA', use: 'sig', alg: 'RS256', kid: thumbprint.digest('base64url'), n, e };
}

/**
 * The keys of a published set, at most 20. A key that is not for RS256 signatures, is too short or
 * does not have its own thumbprint as `kid` is skipped, as RFC 7517 §5 requires.
 *
 * @throws Error when the text is not a key set.
 */
export function parseKeySet(text: string): KeySet {
  const body: unknown = JSON.parse(text);
  const keys = isRecord(body) && Array.isArray(body.keys) ? body.keys : undefined;
  if (keys === undefined) throw new Error('The response is not a JSON Web Key Set.');
  const set = new Map<string, KeyObject>();
  for (const entry of keys.slice(0, KEYS_MAX)) {
    const key = usableKey(entry);
    if (key !== undefined) set.set(publishedKey(key).kid, key);
  }
  return set;
}

function usableKey(entry: unknown): KeyObject | undefined {
  if (!isRecord(entry)) return undefined;
  const { kty, use, alg, kid, n, e } = entry;
  if (kty !== 'RSA' || use !== 'sig' || alg !== 'RS256') return undefined;
  if (typeof n !== 'string' || typeof e !== 'string') return undefined;
  try {
    const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' });
    return publishedKey(key).kid === kid ? key : undefined;
  } catch {
    return undefined;
  }
}

function assertUsable(key: KeyObject): void {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType === 'rsa' && bits >= RSA_BITS_MIN) return;
  throw new TypeError(`A signing key must be an RSA key of at least ${RSA_BITS_MIN} bits.`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

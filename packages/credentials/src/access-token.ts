import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KeyDigest, parseDigest } from './api-key.ts';
import { parseSecrets } from './secrets.ts';

const SHAPE = /^(vcds_at_[\w-]{43})([\w-]{22})$/;
const TAG_BYTES = 16;

/**
 * A new access token of an assistant (docs/spec/oauth.md 28.5): 256 random bits, and an authentication
 * code, so that data-api rejects a token that was made up without a question to access-api.
 *
 * @param secret SERVICE_TOKEN_SECRET, of which the first secret signs.
 * @param bytes 32 bytes that no other party can know.
 */
export function generateAccessToken(secret: string, bytes = randomBytes(32)): string {
  const [key] = parseSecrets(secret);
  const text = `vcds_at_${bytes.toString('base64url')}`;
  return text + tagOf(text, key).toString('base64url');
}

/** Whether one of the secrets has signed the token. */
export function isGenuineAccessToken(token: string, secret: string): boolean {
  const [, text = '', tag = ''] = SHAPE.exec(token) ?? [];
  const given = Buffer.from(tag, 'base64url');
  if (given.length !== TAG_BYTES) return false;
  return parseSecrets(secret).some((key) => timingSafeEqual(tagOf(text, key), given));
}

/** SHA-256 of an access token; undefined for any other text. */
export function accessTokenDigest(text: string): KeyDigest | undefined {
  return SHAPE.test(text)
    ? parseDigest(createHash('sha256').update(text).digest('hex'))
    : undefined;
}

function tagOf(text: string, key: string): Buffer {
  const hmac = createHmac('sha256', key).update(`access token ${text}`);
  return hmac.digest().subarray(0, TAG_BYTES);
}

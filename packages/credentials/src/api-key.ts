import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { toBase62 } from './base62.ts';

export const API_KEY_PREFIX = 'pk_live_';
const RANDOM_BYTES = 32;
/** 62^43 is the first power of 62 above 2^256. */
const RANDOM_DIGITS = 43;
/** 62^6 is the first power of 62 above 2^32. */
const CHECKSUM_DIGITS = 6;
const SHAPE = /^pk_live_[0-9A-Za-z]{49}$/;
const DIGEST_SHAPE = /^[0-9a-f]{64}$/;

/** The text of a well-formed API key: a secret. Never stored, never logged. */
export type ApiKey = string & { readonly brand: 'ApiKey' };
/** SHA-256 of a key in hex: the services store and send only this. */
export type KeyDigest = string & { readonly brand: 'KeyDigest' };

/**
 * A new key (docs/spec/authentication.md 2.3): `pk_live_`, 32 random bytes in base 62, and a CRC-32
 * of all that in base 62, so that a mistyped key is rejected without a look-up.
 */
export function generateApiKey(): ApiKey {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  const stem = `${API_KEY_PREFIX}${toBase62(random, RANDOM_DIGITS)}`;
  return `${stem}${checksum(stem)}` as ApiKey;
}

/** The key, if the text has the form of one and its checksum is right. No I/O. */
export function parseApiKey(text: string): ApiKey | undefined {
  if (!SHAPE.test(text)) return undefined;
  const stem = text.slice(0, -CHECKSUM_DIGITS);
  return text.endsWith(checksum(stem)) ? (text as ApiKey) : undefined;
}

export function digestOf(key: ApiKey): KeyDigest {
  return hash('sha256', key, 'hex') as KeyDigest;
}

/** The digest of no key, with which services check that keys are checked. */
export const NO_KEY = '0'.repeat(64) as KeyDigest;

/** The digest, if the text has the form of one. */
export function parseDigest(text: unknown): KeyDigest | undefined {
  return typeof text === 'string' && DIGEST_SHAPE.test(text) ? (text as KeyDigest) : undefined;
}

/** The displayable part of an issued key: its first four random digits. */
export function redactApiKey(key: ApiKey): string {
  return `${key.slice(0, API_KEY_PREFIX.length + 4)}…`;
}

function checksum(stem: string): string {
  return toBase62(BigInt(crc32(stem)), CHECKSUM_DIGITS);
}

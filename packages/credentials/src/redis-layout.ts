import { createHash } from 'node:crypto';
import type { KeyDigest } from './api-key.ts';

/** Accounts fall into this many buckets (docs/decisions/0006-credit-ledger.md). */
export const BUCKETS = 256;
/** The stream every data-api tails: one entry for each change to keys that are in use. */
export const KEY_CHANGES_STREAM = 'key-changes';

const CACHED_MAX = 10_000;
const firstBytes = new Map<string, number>();

/** The number of an account's bucket, 0 to `buckets` - 1. `buckets` is at most 256, fewer in tests. */
export function bucketOfAccount(accountId: string, buckets = BUCKETS): number {
  return firstByteOf(accountId) % buckets;
}

// Cached, because every charge needs it more than once.
function firstByteOf(accountId: string): number {
  const known = firstBytes.get(accountId);
  if (known !== undefined) return known;
  const byte = createHash('sha256').update(accountId).digest().readUInt8(0);
  if (firstBytes.size >= CACHED_MAX) firstBytes.clear();
  firstBytes.set(accountId, byte);
  return byte;
}

/** The number of the bucket that says whose key a digest is, 0 to 255. */
export function bucketOfDigest(digest: KeyDigest): number {
  return Number.parseInt(digest.slice(0, 2), 16);
}

/**
 * The hash tag of a bucket: everything of an account lies in one slot of a Redis Cluster, so that
 * one script can change it atomically. Ledger keys of the account go under the same tag.
 */
export function bucketTag(bucket: number): string {
  return `{m:${bucket.toString(16).padStart(2, '0')}}`;
}

/** How far into the journal the bucket's contents go: an integer. */
export function positionKey(bucket: number): string {
  return `${bucketTag(bucket)}:position`;
}

/** Whose key this is: a string `accountId keyId`. In the digest's own bucket. */
export function ownerKey(digest: KeyDigest): string {
  return `${bucketTag(bucketOfDigest(digest))}:owner:${digest}`;
}

/** The names of everything kept of an account, all in its bucket. */
export function accountKeys(accountId: string, buckets = BUCKETS) {
  const tag = bucketTag(bucketOfAccount(accountId, buckets));
  return {
    /** hash: `plan`, and `position`, the account's last event applied here. */
    account: `${tag}:account:${accountId}`,
    /** hash: keyId → JSON of the key's scopes, expiresAt and revokedAt. */
    keys: `${tag}:keys:${accountId}`,
    /** set of revoked keyIds: what a reservation of credits looks into. */
    revoked: `${tag}:revoked:${accountId}`,
  } as const;
}

/** A token of the older exchange that is current: a string, the digest of its key. Expires. */
export function legacyTokenKey(tokenId: string): string {
  return `legacy-token:${tokenId}`;
}

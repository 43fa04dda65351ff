import { accountKeys, bucketOfAccount, bucketTag } from '@vcds/credentials';

/** The keys of a bucket, under its hash tag. */
export function bucketKeys(bucket: number) {
  const tag = bucketTag(bucket);
  return {
    /** hash: `open`, if the bucket accepts reservations, and `seq`, the number of its charges. */
    bucket: `${tag}:bucket`,
    /** stream: one entry for each charge that is not acknowledged yet. */
    ledger: `${tag}:ledger`,
    /** string: written to check that Redis accepts writes; expires. */
    probe: `${tag}:probe`,
  } as const;
}

type CreditKeys = ReturnType<typeof keysOf>;

const ACCOUNTS_MAX = 10_000;
const known = new Map<string, { readonly keys: CreditKeys; readonly buckets: number }>();

/** The keys of an account and of its bucket, all under the hash tag of the bucket. */
export function creditKeys(account: string, buckets: number): CreditKeys {
  const found = known.get(account);
  if (found?.buckets === buckets) return found.keys;
  const keys = keysOf(account, buckets);
  if (known.size >= ACCOUNTS_MAX) known.clear();
  known.set(account, { keys, buckets });
  return keys;
}

function keysOf(account: string, buckets: number) {
  const number = bucketOfAccount(account, buckets);
  const tag = bucketTag(number);
  return {
    ...bucketKeys(number),
    /** hash: NAMES of the scripts' prologue, and `key:<id>` of each key that was charged. */
    credits: `${tag}:credits:${account}`,
    /** sorted set: `period:amount:op key` of each open hold, scored by its expiry in milliseconds. */
    holds: `${tag}:holds:${account}`,
    /** set of revoked key ids, written by access-api. */
    revoked: accountKeys(account, buckets).revoked,
    /** string: the record of one operation; expires. */
    operation: (op: string) => `${tag}:op:${account}:${op}`,
    /** string: the request that an idempotency key was charged for; expires. */
    once: (key: string) => `${tag}:once:${account}:${key}`,
    /** sorted set: the idempotency keys by their expiry in milliseconds. */
    onceKeys: `${tag}:once:${account}`,
  } as const;
}

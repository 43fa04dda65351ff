import { accountKeys, bucketOfAccount, bucketTag } from '@vcds/credentials';

/** Of a bucket, both under its hash tag: */
export function bucketKeys(bucket: number) {
  const tag = bucketTag(bucket);
  return {
    /** hash: `open`, present once the bucket may be reserved from, and `seq`, its charges ever. */
    bucket: `${tag}:bucket`,
    /** stream: one entry for each charge that is not acknowledged yet. */
    ledger: `${tag}:ledger`,
    /** string: written to see whether the bucket takes writes; expires. */
    probe: `${tag}:probe`,
  } as const;
}

/** Of an account and its bucket, all under the hash tag of the bucket: */
export function creditKeys(account: string, buckets: number) {
  const number = bucketOfAccount(account, buckets);
  const tag = bucketTag(number);
  return {
    ...bucketKeys(number),
    /** hash: the names in the scripts' prologue. */
    credits: `${tag}:credits:${account}`,
    /** sorted set: `period:amount:op` of each open hold by the millisecond it expires. */
    holds: `${tag}:holds:${account}`,
    /** set of revoked key ids, kept by access-api. */
    revoked: accountKeys(account, buckets).revoked,
    /** string: the record of one operation; expires. */
    operation: (op: string) => `${tag}:op:${account}:${op}`,
  } as const;
}

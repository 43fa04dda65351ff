import type pg from 'pg';

/** The first number of the locks of this product; the second is four letters. */
const PRODUCT_LOCKS = 0x76636473; // vcds

/**
 * The advisory locks of the background jobs. The importer holds `impt` in the same form, and
 * migrations hold one of their own.
 */
export const ADVISORY_LOCKS = {
  signalPublisher: [PRODUCT_LOCKS, 0x7369676e], // sign
  jobs: [PRODUCT_LOCKS, 0x6a6f6273], // jobs
  snapshots: [PRODUCT_LOCKS, 0x736e6170], // snap
  facetIndexer: [PRODUCT_LOCKS, 0x66616365], // face
  facetCopier: [PRODUCT_LOCKS, 0x636f7079], // copy
} as const;

export type AdvisoryLock = (typeof ADVISORY_LOCKS)[keyof typeof ADVISORY_LOCKS];

/** Takes the lock for the session if it is free. @returns whether the session has it. */
export function tryLock(client: pg.ClientBase, lock: AdvisoryLock): Promise<boolean> {
  return tryBy('pg_try_advisory_lock', client, lock);
}

/** Takes the lock until the transaction ends if it is free. @returns whether it has it. */
export function tryTransactionLock(client: pg.ClientBase, lock: AdvisoryLock): Promise<boolean> {
  return tryBy('pg_try_advisory_xact_lock', client, lock);
}

/** Takes the lock for the session, and waits until it is free. */
export async function waitForLock(client: pg.ClientBase, lock: AdvisoryLock): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1, $2)', [...lock]);
}

async function tryBy(sql: string, client: pg.ClientBase, lock: AdvisoryLock): Promise<boolean> {
  const text = `SELECT ${sql}($1, $2) AS "isLocked"`;
  const { rows } = await client.query<{ isLocked: boolean }>(text, [...lock]);
  return rows[0]?.isLocked === true;
}

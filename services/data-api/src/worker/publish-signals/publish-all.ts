import type pg from 'pg';
import { beginTerm, publishBatch } from './publish-batch.ts';
import { backfillChanges, publishChanges } from './publish-changes.ts';

const BATCH = 5_000;

/** Publishes all changes in both outboxes and of the back-fill, in a database without a publisher. */
export async function publishAll(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    const term = await beginTerm(client);
    while ((await publishBatch(client, term, 0n, BATCH)).count > 0);
    do {
      while ((await publishChanges(client, term, 0n, BATCH)).count > 0);
    } while (await backfillChanges(client, BATCH));
  } finally {
    client.release();
  }
}

import type pg from 'pg';
import { beginTerm, publishBatch } from '../../src/worker/publish-signals/publish-batch.ts';

const BATCH = 5_000;

/** Publishes all changes in the outbox, in place of a publisher. */
export async function publishOutbox(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    const term = await beginTerm(client);
    while ((await publishBatch(client, term, 0n, BATCH)).count > 0);
  } finally {
    client.release();
  }
}

import pg from 'pg';

/** Another writer was in the way, and the transaction may be tried again as it was. */
const RETRYABLE_STATES = new Set(['40001', '40P01', '23505']);
const ATTEMPTS_MAX = 5;

/** Runs a transaction; one that other writers broke is run again, at most five times. */
export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await client.query('BEGIN');
    try {
      const result = await work();
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      if (attempt >= ATTEMPTS_MAX || code === undefined || !RETRYABLE_STATES.has(code)) throw error;
    }
  }
}

import pg from 'pg';

/** SQLSTATEs of conflicts with other writers, after which the same transaction may succeed. */
const RETRYABLE = new Set(['40001', '40P01', '23505']);
const ATTEMPTS_MAX = 5;

/** Runs a transaction, at most five times if other writers conflict with it. */
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
      if (attempt >= ATTEMPTS_MAX || code === undefined || !RETRYABLE.has(code)) throw error;
    }
  }
}

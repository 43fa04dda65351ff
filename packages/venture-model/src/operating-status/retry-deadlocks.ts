/** SQLSTATE of the statement that PostgreSQL cancels to end a deadlock. */
const DEADLOCK = '40P01';
const ATTEMPTS_MAX = 5;

/**
 * Runs a statement outside a transaction, again if it deadlocked with another writer, which has then
 * been able to continue; at most five times.
 */
export async function retryDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== DEADLOCK || attempt >= ATTEMPTS_MAX) throw error;
    }
  }
}

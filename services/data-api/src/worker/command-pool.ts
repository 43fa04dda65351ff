import { readConfig } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from '../postgres/connection.ts';
import { WORKER_DATABASE_VARIABLES, workerDatabaseUrl } from '../postgres/worker-database.ts';

/**
 * Does the work of a command over one connection to the database of the data worker, without a limit of time.
 *
 * @throws ConfigError that lists every invalid variable.
 */
export async function withCommandPool<T>(
  environment: NodeJS.ProcessEnv,
  name: string,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const config = readConfig(WORKER_DATABASE_VARIABLES, environment, [workerDatabaseUrl]);
  const connection = { connectionString: workerDatabaseUrl(config), name };
  const options = connectionOptions({ ...connection, settings: { jit: 'off' }, statementMsMax: 0 });
  const pool = new pg.Pool({ ...options, max: 1 });
  // A lost connection fails the statement that waits for it.
  pool.on('error', () => undefined);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

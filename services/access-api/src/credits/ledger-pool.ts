import type { Logger } from '@vcds/service-kit';
import pg from 'pg';

/** One per concurrently drained bucket, and one for the readiness check. */
const CONNECTIONS_MAX = 9;
const CONNECT_MS_MAX = 5_000;
const STATEMENT_MS_MAX = 10_000;
/** Above the server's own limit: a connection without a response by then is closed. */
const ANSWER_MS_MAX = 12_000;

/** Opens the connections that write the ledger; connects on first use. */
export function openLedgerPool(url: string, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    statement_timeout: STATEMENT_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
    keepAlive: true,
    application_name: 'worker',
  });
  pool.on('error', (error) => logger.warn({ error }, 'idle connection lost'));
  return pool;
}

import type { Logger } from '@vcds/service-kit';
import pg from 'pg';

/** As many as buckets are drained at the same time, and one for the readiness check. */
const CONNECTIONS_MAX = 9;
const CONNECT_MS_MAX = 5_000;
const STATEMENT_MS_MAX = 10_000;
/** Past what the server allows itself: a connection that answers nothing is given up. */
const ANSWER_MS_MAX = 12_000;

/** Opens the connections the ledger is written over; connects on first use. */
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

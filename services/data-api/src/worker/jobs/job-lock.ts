import pg from 'pg';
import { PRODUCT_LOCKS } from '../../postgres/advisory-locks.ts';
import { connectionOptions } from '../../postgres/connection.ts';
import { assertDirect } from '../../postgres/direct-connection.ts';

/** The server ends the session of a process that is frozen or gone after this time. */
const SILENT_MS_MAX = 15_000;
const HEARTBEAT_MS = 2_000;
/** Longer than the lock of a frozen process lasts, so that its run can be taken over. */
const WAIT_MS_MAX = 20_000;
const LOCK_NOT_AVAILABLE = '55P03';

export interface JobLockOptions {
  /** The primary; not through a pooler that shares sessions. */
  readonly connectionString: string;
  readonly job: string;
  readonly signal: AbortSignal;
  /** How long to wait for another run of the job. Default 20,000. */
  readonly waitMsMax?: number;
}

/**
 * Runs `work` while a database session of its own holds the advisory lock of a job, so that no two
 * runs of it overlap, whatever the queue assumes about a process that does not respond. The signal
 * of the work is aborted when the session is lost.
 *
 * @returns the result, or undefined if another run held the lock for all of the waiting time.
 */
export async function withJobLock<T>(
  options: JobLockOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const { job, signal, waitMsMax = WAIT_MS_MAX } = options;
  const client = new pg.Client(
    connectionOptions({
      connectionString: options.connectionString,
      name: `data-worker ${job} lock`,
      settings: {
        lock_timeout: waitMsMax,
        idle_session_timeout: SILENT_MS_MAX,
        tcp_user_timeout: SILENT_MS_MAX,
        client_connection_check_interval: HEARTBEAT_MS,
      },
      statementMsMax: waitMsMax + HEARTBEAT_MS,
    }),
  );
  const lost = new AbortController();
  const lose = (): void => lost.abort(new Error('The database session of the lock was lost.'));
  client.on('error', lose);
  client.on('end', lose);
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    await assertDirect(client);
    if (!(await lock(client, job, signal))) return undefined;
    heartbeat = setInterval(() => void client.query('SELECT 1').catch(lose), HEARTBEAT_MS);
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(heartbeat);
    await client.end().catch(() => undefined);
  }
}

/** Waits for the lock until the session's `lock_timeout`. @returns whether it has the lock. */
async function lock(client: pg.Client, job: string, signal: AbortSignal): Promise<boolean> {
  const onAbort = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [PRODUCT_LOCKS, `job ${job}`]);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@vcds/service-kit';
import pg from 'pg';
import { type AdvisoryLock, tryLock } from '../postgres/advisory-locks.ts';
import { type ConnectionPurpose, connectionOptions } from '../postgres/connection.ts';
import { assertDirect } from '../postgres/direct-connection.ts';

/** Milliseconds between two attempts to take the lock while another process leads. */
const TAKE_OVER_MS = 500;
/** Milliseconds after which the server ends the session of a process that is frozen or gone. */
const SILENT_MS_MAX = 5_000;

const SESSION_SETTINGS = {
  idle_session_timeout: SILENT_MS_MAX,
  idle_in_transaction_session_timeout: SILENT_MS_MAX,
  tcp_user_timeout: SILENT_MS_MAX,
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  jit: 'off',
  timezone: 'UTC',
} as const;

/** The connection goes to the primary, and not through a pooler that shares sessions. */
export interface LeaderJob extends ConnectionPurpose {
  readonly lock: AdvisoryLock;
  readonly logger: Logger;
  /** Ends the job when it is aborted. */
  readonly signal: AbortSignal;
  /** Milliseconds until the next attempt after a failure. */
  readonly retryMs: number;
  /**
   * Runs while the session holds the lock. It sends a statement at least every few seconds, and
   * returns soon after `signal` is aborted.
   *
   * @returns milliseconds until this process tries to lead again.
   */
  lead(client: pg.Client): Promise<number>;
  readonly onFailure?: (() => void) | undefined;
  /** Waits; rejects when the signal is aborted. For tests. */
  readonly pause?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

/**
 * Runs a job in one process of all that share a database: in the one whose session holds the lock.
 * The others try to take it twice a second. A process that is frozen loses its session by the
 * timeouts of the server, and so its lock, within seconds. After a failure it reconnects; an outage
 * is one line in the log.
 *
 * @returns when `signal` is aborted and the session is closed.
 */
export async function runAsLeader(job: LeaderJob): Promise<void> {
  const { name, logger, signal, retryMs, onFailure, pause = pauseByTimer } = job;
  const wait = (ms: number) => pause(ms, signal).catch(() => undefined);
  let isFailing = false;
  while (!signal.aborted) {
    const client = new pg.Client(
      connectionOptions({ ...job, settings: { ...SESSION_SETTINGS, ...job.settings } }),
    );
    // A lost connection fails the statement that waits for it.
    client.on('error', () => undefined);
    let pauseMs = retryMs;
    try {
      await client.connect();
      await assertDirect(client);
      isFailing = false;
      while (!signal.aborted && !(await tryLock(client, job.lock))) await wait(TAKE_OVER_MS);
      if (!signal.aborted) pauseMs = await job.lead(client);
    } catch (error) {
      onFailure?.();
      if (!isFailing) logger.warn({ error, job: name }, 'background job failed; retrying');
      isFailing = true;
    } finally {
      await client.end().catch(() => undefined);
    }
    if (!signal.aborted) await wait(pauseMs);
  }
}

function pauseByTimer(ms: number, signal: AbortSignal): Promise<unknown> {
  return delay(ms, undefined, { signal });
}

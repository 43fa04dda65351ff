import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, type Logger, systemClock } from '@vcds/service-kit';
import { sweepOperatingStatus } from '@vcds/venture-model';
import pg from 'pg';
import { connectionOptions } from '../../postgres/connection.ts';

export interface SweeperOptions {
  /** The primary: it is written. Not through a pooler that shares sessions. */
  readonly connectionString: string;
  readonly logger: Logger;
  readonly clock?: Pick<Clock, 'wallMs'>;
  /** Waits so many milliseconds; rejects when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Held by the session that sweeps: one at a time a database. */
const LEADER_LOCK = [0x76636473, 0x73776570] as const;

const DAY_MS = 86_400_000;
/** After midnight UTC, so that the database's clock has passed it too. */
const MARGIN_MS = 60_000;
const RETRY_MS = 60_000;
const STATEMENT_MS_MAX = 120_000;
/** A process that is frozen while it sweeps loses its session, and with it the lock. */
const IDLE_MS_MAX = 10_000;

const SETTINGS = {
  timezone: 'UTC',
  idle_session_timeout: IDLE_MS_MAX,
  idle_in_transaction_session_timeout: IDLE_MS_MAX,
} as const;

/**
 * Ends the protection of a recent round when three months are over (docs/spec/resources.md 4.14
 * rule 2), whether or not anybody writes: at once, and after every midnight UTC. One process at a
 * time does it; after a failure, or while another is at it, it looks again in a minute.
 */
export class StatusSweeper {
  readonly #options: SweeperOptions;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  private constructor(options: SweeperOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  static start(options: SweeperOptions): StatusSweeper {
    return new StatusSweeper(options);
  }

  /** Ends after the transaction at hand. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { logger, clock = systemClock, pause = pauseByTimer } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let isDone = false;
      try {
        isDone = await this.#sweep();
      } catch (error) {
        logger.error({ error }, 'operating statuses could not be brought up to date; it retries');
      }
      const untilTomorrowMs = DAY_MS - (clock.wallMs() % DAY_MS) + MARGIN_MS;
      await pause(isDone ? untilTomorrowMs : RETRY_MS, signal).catch(() => undefined);
    }
  }

  /** False when another process is at it. */
  async #sweep(): Promise<boolean> {
    const { connectionString, logger } = this.#options;
    const client = new pg.Client(
      connectionOptions({
        connectionString,
        name: 'data-api status sweep',
        settings: SETTINGS,
        statementMsMax: STATEMENT_MS_MAX,
      }),
    );
    // A lost connection fails whatever waits for it.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock($1, $2) AS taken',
        [...LEADER_LOCK],
      );
      if (rows[0]?.taken !== true) return false;
      const startups = await sweepOperatingStatus(client, this.#stop.signal);
      if (startups > 0) logger.info({ startups }, 'protections of recent rounds have ended');
      return true;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function pauseByTimer(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}

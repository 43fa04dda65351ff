import type { Logger } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from '../../postgres/connection.ts';
import type { PublisherMeasures } from './metrics.ts';
import { beginTerm, publishBatch } from './publish-batch.ts';
import { PublishedFloor } from './published-floor.ts';

export interface PublisherOptions {
  /** The primary; not through a pooler that shares sessions. */
  readonly connectionString: string;
  readonly logger: Logger;
  readonly measures: PublisherMeasures;
  /** Signals in one transaction at most. */
  readonly batchMax?: number;
  /** Milliseconds for one statement: a database that is silent for longer is connected to anew. */
  readonly statementMsMax?: number;
}

/** Held by the session that publishes: one at a time a database. */
const LEADER_LOCK = [0x76636473, 0x7369676e] as const;
const CHANNEL = 'venture_signals';

const BATCH_MAX = 5_000;
/** Between two looks while changes come. */
const BUSY_MS = 20;
/** Without a change for this long it goes to sleep, and writers wake it. */
const BUSY_FOR_MS = 1_000;
/** Between two looks while it sleeps: a write that did not see it asleep wakes no one. */
const ASLEEP_MS = 500;
const TAKE_OVER_MS = 500;
const RECONNECT_MS = 1_000;

const STATEMENT_MS_MAX = 60_000;

/** A publisher that sends nothing for this long, ten times its longest pause, loses its lock. */
const SILENT_MS_MAX = 5_000;

const SETTINGS = {
  // The server ends the session of a publisher that is frozen, although its machine answers, and
  // of one whose machine is gone; with the session goes the lock.
  idle_session_timeout: SILENT_MS_MAX,
  idle_in_transaction_session_timeout: SILENT_MS_MAX,
  tcp_user_timeout: SILENT_MS_MAX,
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  jit: 'off',
  timezone: 'UTC',
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
} as const;

/**
 * Publishes changes from the outbox to the feed for as long as the process lives, when no other
 * process does: the holder of the lock publishes, the others ask for it twice a second. A process
 * that is frozen loses its session, and with it the lock, within seconds. A lost database is tried
 * again every second.
 */
export class SignalPublisher {
  readonly #options: PublisherOptions;
  readonly #done: Promise<void>;
  #stopped = false;
  #isFailing = false;
  #woken = false;
  #resume: (() => void) | undefined;

  private constructor(options: PublisherOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  static start(options: PublisherOptions): SignalPublisher {
    return new SignalPublisher(options);
  }

  /** Ends after the batch under way; another process takes over at once. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { logger, measures } = this.#options;
    while (!this.#stopped) {
      try {
        await this.#session();
      } catch (error) {
        measures.failed();
        // Once, not every second for as long as the database is away.
        if (!this.#isFailing)
          logger.warn({ error }, 'the signal publisher has no session; it retries');
        this.#isFailing = true;
        // The end of the session woke it; that is no reason to hurry.
        this.#woken = false;
        await this.#pause(RECONNECT_MS);
      }
    }
  }

  async #session(): Promise<void> {
    const { connectionString, logger, measures } = this.#options;
    const { statementMsMax = STATEMENT_MS_MAX } = this.#options;
    const client = new pg.Client(
      connectionOptions({
        connectionString,
        name: 'data-api signal publisher',
        settings: SETTINGS,
        statementMsMax,
      }),
    );
    // A lost connection fails whatever waits for it.
    client.on('error', () => undefined);
    client.on('notification', () => this.#wake());
    client.on('end', () => this.#wake());
    try {
      await client.connect();
      this.#isFailing = false;
      while (!this.#stopped && !(await takeLock(client))) await this.#pause(TAKE_OVER_MS);
      if (this.#stopped) return;
      logger.info('publishing signals');
      measures.leads(true);
      await this.#lead(client);
    } finally {
      measures.leads(false);
      await client.end().catch(() => undefined);
    }
  }

  async #lead(client: pg.Client): Promise<void> {
    const { measures, batchMax = BATCH_MAX } = this.#options;
    const term = await beginTerm(client);
    await client.query(`LISTEN ${CHANNEL}`);
    let floor = new PublishedFloor();
    let asleep = await setAsleep(client, false);
    let lastChangeMs = performance.now();
    while (!this.#stopped) {
      this.#woken = false;
      const batch = await publishBatch(client, term, floor.serial, batchMax);
      floor.published(batch, batchMax);
      measures.published(batch.shares);
      if (batch.count > 0) {
        lastChangeMs = performance.now();
        if (asleep) asleep = await setAsleep(client, false);
        await floor.mark(client);
        if (batch.count < batchMax) await this.#pause(BUSY_MS);
      } else if (asleep) {
        await this.#pause(ASLEEP_MS);
      } else if (performance.now() - lastChangeMs > BUSY_FOR_MS) {
        // Looks once more before it waits, from the beginning: what was committed until now woke no
        // one, and whatever the floor was wrong about would wait for ever.
        asleep = await setAsleep(client, true);
        floor = new PublishedFloor();
      } else {
        await this.#pause(BUSY_MS);
      }
    }
    if (asleep) await setAsleep(client, false);
  }

  /** Waits; ends early, or at once, when woken. */
  #pause(ms: number): Promise<void> {
    if (this.#stopped || this.#woken) {
      this.#woken = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #wake(): void {
    this.#woken = true;
    this.#resume?.();
  }
}

async function takeLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_lock($1, $2) AS taken',
    [...LEADER_LOCK],
  );
  return rows[0]?.taken === true;
}

async function setAsleep(client: pg.Client, asleep: boolean): Promise<boolean> {
  await client.query('UPDATE venture.signal_publisher SET asleep = $1 WHERE asleep <> $1', [
    asleep,
  ]);
  return asleep;
}

import type { Logger } from '@vcds/service-kit';
import type pg from 'pg';
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts';
import { LogFloor } from '../log-floor.ts';
import { runAsLeader } from '../run-as-leader.ts';
import type { PublisherMetrics } from './metrics.ts';
import { beginTerm, publishBatch } from './publish-batch.ts';
import { backfillChanges, publishChanges } from './publish-changes.ts';

export interface PublisherOptions {
  /** The primary; not through a pooler that shares sessions. */
  readonly connectionString: string;
  readonly logger: Logger;
  readonly metrics: PublisherMetrics;
  /** The most signals of one transaction. */
  readonly batchMax?: number;
  /** Milliseconds for one statement; the publisher reconnects after a longer one. */
  readonly statementMsMax?: number;
}

const CHANNEL = 'venture_signals';
const SERIALS = 'venture.signal_outbox_serial_seq';
const CHANGE_SERIALS = 'venture.change_outbox_serial_seq';

const BATCH_MAX = 5_000;
/** Milliseconds between two polls while changes arrive. */
const BUSY_MS = 20;
/** After this time without a change the publisher sleeps until a writer notifies it. */
const BUSY_FOR_MS = 1_000;
/** Milliseconds between two polls while it sleeps: a concurrent writer may not have notified it. */
const ASLEEP_MS = 500;
const RECONNECT_MS = 1_000;

const STATEMENT_MS_MAX = 60_000;

const SETTINGS = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' } as const;

/**
 * Publishes from both outboxes to their feeds, signals and changes of records, in one process at a
 * time (see {@link runAsLeader}).
 */
export class SignalPublisher {
  readonly #options: PublisherOptions;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #woken = false;
  #resume: (() => void) | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    const { connectionString, logger, metrics, statementMsMax = STATEMENT_MS_MAX } = options;
    this.#done = runAsLeader({
      connectionString,
      name: 'data-worker signal publisher',
      lock: ADVISORY_LOCKS.signalPublisher,
      settings: SETTINGS,
      statementMsMax,
      retryMs: RECONNECT_MS,
      logger,
      signal: this.#stop.signal,
      lead: (client) => this.#lead(client),
      onFailure: () => metrics.failed(),
    });
  }

  /** Ends after the batch under way; another process takes over at once. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#done;
  }

  async #lead(client: pg.Client): Promise<number> {
    const { logger, metrics } = this.#options;
    client.on('notification', () => this.#wake());
    client.on('end', () => this.#wake());
    logger.info('publishing signals');
    metrics.leads(true);
    try {
      await this.#publish(client);
    } finally {
      metrics.leads(false);
    }
    return 0;
  }

  async #publish(client: pg.Client): Promise<void> {
    const { metrics, batchMax = BATCH_MAX } = this.#options;
    const term = await beginTerm(client);
    await client.query(`LISTEN ${CHANNEL}`);
    let outboxes = new Outboxes(client, term, batchMax);
    let asleep = await setAsleep(client, false);
    let isBackfilling = true;
    let lastChangeMs = performance.now();
    while (!this.#stop.signal.aborted) {
      this.#woken = false;
      const { shares, entries, isEmpty, isFull } = await outboxes.publish();
      metrics.published(shares, entries);
      if (!isEmpty) {
        lastChangeMs = performance.now();
        if (asleep) asleep = await setAsleep(client, false);
        await outboxes.mark();
        if (!isFull) await this.#pause(BUSY_MS);
      } else if (isBackfilling) {
        isBackfilling = await backfillChanges(client, batchMax);
        lastChangeMs = performance.now();
      } else if (asleep) {
        await this.#pause(ASLEEP_MS);
      } else if (performance.now() - lastChangeMs > BUSY_FOR_MS) {
        // Polls once more from serial 0 before it sleeps: commits until now sent no notification,
        // and a floor that is too high would skip changes permanently.
        asleep = await setAsleep(client, true);
        outboxes = new Outboxes(client, term, batchMax);
      } else {
        await this.#pause(BUSY_MS);
      }
    }
    if (asleep) await setAsleep(client, false);
  }

  /** Waits until the time is over or a writer notifies the publisher. */
  #pause(ms: number): Promise<void> {
    if (this.#stop.signal.aborted || this.#woken) {
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

async function setAsleep(client: pg.Client, asleep: boolean): Promise<boolean> {
  await client.query('UPDATE venture.signal_publisher SET asleep = $1 WHERE asleep <> $1', [
    asleep,
  ]);
  return asleep;
}

/** Both outboxes, each read from its floor. */
class Outboxes {
  readonly #signals = new LogFloor(SERIALS);
  readonly #changes = new LogFloor(CHANGE_SERIALS);
  readonly #client: pg.Client;
  readonly #term: bigint;
  readonly #batchMax: number;

  constructor(client: pg.Client, term: bigint, batchMax: number) {
    this.#client = client;
    this.#term = term;
    this.#batchMax = batchMax;
  }

  /** A batch of each. */
  async publish() {
    const [client, term, max] = [this.#client, this.#term, this.#batchMax];
    const signals = await publishBatch(client, term, this.#signals.position, max);
    this.#signals.taken(signals, max);
    const changes = await publishChanges(client, term, this.#changes.position, max);
    this.#changes.taken(changes, max);
    return {
      ...{ shares: signals.shares, entries: changes.entries },
      isEmpty: signals.count + changes.count === 0,
      isFull: signals.count === max || changes.count === max,
    };
  }

  async mark(): Promise<void> {
    await this.#signals.mark(this.#client);
    await this.#changes.mark(this.#client);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from '../../postgres/connection.ts';
import { LogFloor, type TakenRows } from '../log-floor.ts';
import { applyBatch, type BatchOutcome } from './apply-batch.ts';
import { storeClosedValues } from './closed-codes.ts';
import { logOlderRows } from './older-rows.ts';

export interface IndexerOptions {
  /** The primary. */
  readonly connectionString: string;
  readonly logger: Logger;
  /** Called after every poll of the log, with its duration. */
  readonly onPoll?: (outcome: BatchOutcome | { status: 'failed' }, seconds: number) => void;
  /** Called with the records that a rebuild of the index has computed, several times during it. */
  readonly onRebuild?: (records: number) => void;
  readonly times?: Partial<IndexerTimes>;
}

export interface IndexerTimes {
  /** Milliseconds between polls of an empty log. */
  readonly pollMs: number;
  /** Milliseconds after a failure. */
  readonly retryMs: number;
  /** The most log rows of one batch. */
  readonly batchRowsMax: number;
  /** The log rows from which the index may be rebuilt instead. */
  readonly rebuildRowsMin: number;
  /** Milliseconds for one statement of a batch. */
  readonly statementMsMax: number;
}

const TIMES: IndexerTimes = {
  pollMs: 250,
  retryMs: 2_000,
  batchRowsMax: 200_000,
  rebuildRowsMin: 200_000,
  statementMsMax: 120_000,
};

const IDLE_MS_MAX = 10_000;
/**
 * How often the log is read from its beginning: after a sequence was set back, as by a logical copy of the
 * database, positions are below the one up to which every change was applied.
 */
const FROM_START_MS = 60_000;
const POSITIONS = 'venture.facet_change_position_seq';
/** Stores the position up to which every change is applied. */
const STORE_APPLIED_TO = 'UPDATE venture.facet_state SET applied_to = $1 WHERE applied_to < $1';

const SETTINGS = {
  jit: 'off',
  timezone: 'UTC',
  work_mem: '32MB',
  max_parallel_workers_per_gather: 0,
  // A process that is frozen in the middle of a batch loses its session, and so the lock.
  idle_in_transaction_session_timeout: IDLE_MS_MAX,
} as const;

/**
 * Keeps the facet index up to date: polls the log of changed records and applies it in batches. Every
 * data worker has one. The lock belongs to the transaction of a batch, so there is no leader:
 * whichever process gets it applies the next batch (docs/decisions/0011-facets.md).
 */
export class FacetIndexer {
  readonly #options: IndexerOptions;
  readonly #times: IndexerTimes;
  readonly #pool: pg.Pool;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #hasClosedCodes = false;
  #floor = new LogFloor(POSITIONS);
  #nextFromStartMs = 0;
  /** The version up to which rows of the index were examined for missing figures. */
  #examinedTo = '-1';

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#pool = new pg.Pool({
      ...connectionOptions({
        connectionString: options.connectionString,
        name: 'data-worker facet indexer',
        settings: SETTINGS,
        statementMsMax: this.#times.statementMsMax,
      }),
      max: 1,
    });
    this.#pool.on('error', (error) => options.logger.warn({ error }, 'idle connection lost'));
    // A connection lost in use fails its statement, which reports it.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Starts to poll the log; returns at once. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Applies one batch, if there is one and no other process applies one. */
  async applyOnce(): Promise<BatchOutcome> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      if (!this.#hasClosedCodes) await storeClosedValues(client);
      this.#hasClosedCodes = true;
      return await this.#applyBatch(client);
    } catch (error) {
      this.#floor = new LogFloor(POSITIONS);
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async #applyBatch(client: pg.ClientBase): Promise<BatchOutcome> {
    const { logger, onRebuild } = this.#options;
    const { batchRowsMax: rowsMax, rebuildRowsMin } = this.#times;
    const isFromStart = performance.now() >= this.#nextFromStartMs;
    if (isFromStart) {
      this.#nextFromStartMs = performance.now() + FROM_START_MS;
      const { version, logged } = await logOlderRows(client, this.#examinedTo);
      this.#examinedTo = version;
      if (logged > 0) logger.info({ logged }, 'rows of the facet index lack figures');
    }
    const { outcome, rows } = await applyBatch(client, {
      isFromStart,
      rowsMax,
      rebuildRowsMin,
      onRebuild: (records) => {
        if (records === 0)
          logger.info('rebuilding the facet index: the log is longer than the data');
        onRebuild?.(records);
      },
    });
    if (rows !== undefined) await this.#advance(client, rows);
    if (outcome.status === 'applied' && outcome.rebuilt) {
      const { taken, changed } = outcome;
      logger.info({ taken, changed }, 'the facet index is rebuilt');
    }
    return outcome;
  }

  async #advance(client: pg.ClientBase, rows: TakenRows): Promise<void> {
    const before = this.#floor.position;
    this.#floor.taken(rows, this.#times.batchRowsMax);
    const { position } = this.#floor;
    if (position !== before) await client.query(STORE_APPLIED_TO, [String(position)]);
    await this.#floor.mark(client);
  }

  /** Ends after the batch under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#pool.end();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const startedMs = performance.now();
      const outcome = await this.#poll();
      this.#options.onPoll?.(outcome, (performance.now() - startedMs) / 1000);
      if (outcome.status === 'failed') await this.#pause(this.#times.retryMs);
      else if (outcome.status !== 'applied') await this.#pause(this.#times.pollMs);
    }
  }

  async #poll(): Promise<BatchOutcome | { status: 'failed' }> {
    try {
      return await this.applyOnce();
    } catch (error) {
      this.#options.logger.error({ error }, 'failed to update the facet index; retrying');
      return { status: 'failed' };
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stop;
    await delay(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

import { EventEmitter, once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { answerQuery } from './answer-query.ts';
import { Catalogue } from './catalogue.ts';
import { CountingThreads } from './counting-threads.ts';
import type { EntitySize } from './entity-store.ts';
import { readFirst } from './first-records.ts';
import type { FromStore, StoreData, ToStore } from './messages.ts';
import { inOneVersion } from './one-version.ts';
import { planFirst, planRecords } from './plan-query.ts';
import {
  EngineUnavailableError,
  type FacetCounts,
  type FacetQuery,
  type FirstRecords,
  type FirstRecordsQuery,
  type LoadedFacetEngine,
  type LoadedState,
  type RecordCount,
  type RecordQuery,
} from './port.ts';
import type { FacetSchema } from './schema.ts';
import { type RunRanks, skipFirst, startOf, storedRanks } from './skip-first.ts';
import { SupervisedThread } from './supervised-thread.ts';

const GIGABYTE = 1_073_741_824;
/** For at most so many records, sharing the work among threads costs more than it saves. */
const SMALL_COST = 100_000;
const POLL_MS = 200;
const STALE_MS = 10_000;
const SILENT_MS_MAX = 30_000;
/** A count of records waits this long for the version that it requires. */
const VERSION_MS_MAX = 250;
/** To find fewer records that are not wanted costs less than to count them. */
const FOUND_SKIP_MAX = 1_000;
/** The storing thread is terminated if it has not ended by itself after this time. */
const END_MS_MAX = 3_000;

/** A structured logger, such as pino's. */
export interface EngineLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface EngineMetrics {
  /** A count was answered by so many threads: `none` for stored counts, `one`, or `all`. */
  counted(threads: 'none' | 'one' | 'all'): void;
  /** A thread crashed. */
  crashed(program: 'count' | 'store'): void;
}

export interface ColumnarEngineOptions<
  Entity extends string = string,
  Dimension extends string = string,
> {
  readonly schema: FacetSchema<Entity, Dimension>;
  /**
   * The connection of the storing thread; plain data. Loading has no time limit, so the session
   * must not have a statement timeout.
   */
  readonly connection: pg.ClientConfig;
  readonly logger: EngineLogger;
  readonly metrics?: EngineMetrics;
  /** Threads that count; by default one per core. */
  readonly threads?: number;
  /** Bytes of the data above which the engine does not load it. 2 GiB by default. */
  readonly bytesMax?: number;
  /** Milliseconds between polls for changes. */
  readonly pollMs?: number;
  /** Milliseconds without a response of the database after which the engine does not count. */
  readonly staleMs?: number;
  /** Milliseconds without a response of the database after which the engine reconnects. */
  readonly silentMsMax?: number;
  /** So many records that are not wanted are found beside the others; more are counted. */
  readonly foundSkipMax?: number;
  /** Records of a segment; by default as many as a segment can have. */
  readonly segmentRecordsMax?: number;
  /** Arguments of node for the threads; by default those of this process. */
  readonly execArgv?: readonly string[];
}

/** The state of the engine, in addition to that of the port. */
export interface ColumnarState<Entity extends string = string> extends LoadedState<Entity> {
  /** `too-large`: the data needs more memory than `bytesMax`. */
  readonly status: 'idle' | 'loading' | 'loaded' | 'too-large' | 'closed';
  /** By entity of the schema; empty before it has loaded. */
  readonly sizes: readonly EntitySize[];
  /** Running threads that count. */
  readonly threads: number;
}

/**
 * Counts facets in memory (docs/decisions/0009-facets-in-memory.md): one thread loads the facet
 * tables and follows their changes, other threads count.
 */
export class ColumnarFacetEngine<
  Entity extends string = string,
  Dimension extends string = string,
  Indexed extends string = Dimension,
> implements LoadedFacetEngine<Entity, Dimension, Indexed>
{
  readonly name = 'columnar';
  readonly #options: ColumnarEngineOptions<Entity, Indexed>;
  #catalogue: Catalogue;
  #counting: CountingThreads | undefined;
  #store: SupervisedThread | undefined;
  #status: ColumnarState['status'] = 'idle';
  #asOfMs: number | undefined;
  /** Of the tables: the last batch that the data includes. */
  #version = -1;
  /** `read` after each response of the storing thread. */
  readonly #reads = new EventEmitter().setMaxListeners(0);
  #loadMs: number | undefined;
  #sizes: readonly EntitySize[] = [];
  #bytes = 0;

  constructor(options: ColumnarEngineOptions<Entity, Indexed>) {
    this.#options = options;
    this.#catalogue = new Catalogue(options.schema);
  }

  state(): ColumnarState<Entity> {
    const { schema, staleMs = STALE_MS } = this.#options;
    const lagMs = this.#asOfMs === undefined ? undefined : Math.max(0, Date.now() - this.#asOfMs);
    const rows = schema.entities.map(({ id }, index) => [id, this.#sizes[index]?.live ?? 0]);
    return {
      ready: this.#status === 'loaded' && lagMs !== undefined && lagMs <= staleMs,
      rows: Object.fromEntries(rows) as Record<Entity, number>,
      bytes: this.#bytes,
      loadMs: this.#loadMs,
      lagMs,
      status: this.#status,
      sizes: this.#sizes,
      threads: this.#counting?.running ?? 0,
    };
  }

  start(): void {
    if (this.#status !== 'idle') return;
    this.#status = 'loading';
    const { schema, connection, logger, metrics, execArgv } = this.#options;
    const { bytesMax = 2 * GIGABYTE, pollMs = POLL_MS } = this.#options;
    const { silentMsMax = SILENT_MS_MAX, segmentRecordsMax } = this.#options;
    this.#counting = new CountingThreads({
      threads: this.#options.threads ?? availableParallelism(),
      execArgv,
      onCrash: (error) => {
        metrics?.crashed('count');
        logger.error({ error }, 'facet counting thread crashed; restarting it');
      },
    });
    const tables = {
      values: schema.valueTable,
      state: schema.stateTable,
      batches: schema.batchTable,
      entities: schema.entities.map(({ table }) => table),
    };
    const settings = { connection, tables, bytesMax, pollMs, silentMsMax, segmentRecordsMax };
    this.#store = new SupervisedThread({
      program: 'store-thread',
      workerData: (): StoreData => ({ ...settings, acknowledged: this.#reset() }),
      execArgv,
      onMessage: (message) => this.#onMessage(message as FromStore),
      onCrash: (_, error) => {
        this.#status = 'loading';
        metrics?.crashed('store');
        logger.error({ error }, 'facet storing thread crashed; reloading the facets');
      },
    });
  }

  /** @throws EngineUnavailableError, or the reason of the signal. */
  async count(
    query: FacetQuery<Entity, Dimension>,
    signal?: AbortSignal,
  ): Promise<FacetCounts<Dimension>> {
    signal?.throwIfAborted();
    const counting = this.#readyThreads();
    let threads: 'none' | 'one' | 'all' = 'none';
    const counts = await answerQuery(query, this.#catalogue, (job, cost) => {
      threads = cost <= SMALL_COST ? 'one' : 'all';
      return counting.count(job, threads === 'one', signal);
    });
    this.#options.metrics?.counted(threads);
    return counts;
  }

  /** @throws as {@link count}. */
  async countRecords(
    query: RecordQuery<Entity, Indexed>,
    signal?: AbortSignal,
  ): Promise<RecordCount> {
    signal?.throwIfAborted();
    await this.#reach(query.version, signal);
    const counting = this.#readyThreads();
    const { job, cost } = planRecords(query, this.#catalogue);
    const version = this.#version;
    const isSmall = cost <= SMALL_COST;
    const [count = 0] = await counting.count(job, isSmall, signal);
    this.#options.metrics?.counted(isSmall ? 'one' : 'all');
    return { count, version };
  }

  /** @throws as {@link count}; RangeError if `countMax` is below `count`. */
  async firstRecords(
    query: FirstRecordsQuery<Entity, Indexed>,
    signal?: AbortSignal,
  ): Promise<FirstRecords> {
    signal?.throwIfAborted();
    await this.#reach(query.version, signal);
    const counting = this.#readyThreads();
    const { foundSkipMax = FOUND_SKIP_MAX } = this.#options;
    // The records that are counted have to be those that are searched.
    const { version, isSmall, skipping } = await inOneVersion(
      () => this.#version,
      async (current) => {
        const { job, most, cost } = planFirst(query, this.#catalogue);
        const planned = { version: current, isSmall: cost <= SMALL_COST };
        if (most > (query.matchesMax ?? most)) return { ...planned, skipping: undefined };
        const run: RunRanks = async (each) =>
          storedRanks(each, this.#catalogue) ?? counting.ranks(each, planned.isSmall, signal);
        return { ...planned, skipping: await skipFirst(job, query.skip, foundSkipMax, run) };
      },
    );
    const start = startOf(skipping?.start, this.#catalogue);
    if (skipping?.job === undefined) return { ids: undefined, isAll: false, start, version };
    const numbers = await counting.first(skipping.job, isSmall, signal);
    this.#options.metrics?.counted(isSmall ? 'one' : 'all');
    return { ...readFirst(numbers, skipping.job), start, version };
  }

  async close(): Promise<void> {
    this.#status = 'closed';
    await Promise.all([this.#counting?.close(), this.#store?.close(endStore)]);
    this.#sizes = [];
    this.#bytes = 0;
  }

  #readyThreads(): CountingThreads {
    if (this.#counting === undefined || !this.state().ready) {
      throw new EngineUnavailableError(`the engine is ${this.#status}`);
    }
    return this.#counting;
  }

  /** Waits for a version; not longer than {@link VERSION_MS_MAX}. */
  async #reach(version: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#version >= version) return;
    this.#store?.worker?.postMessage('read' satisfies ToStore);
    const limit = AbortSignal.timeout(VERSION_MS_MAX);
    const ends = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    try {
      while (this.#version < version) await once(this.#reads, 'read', { signal: ends });
    } catch {
      signal?.throwIfAborted();
    }
  }

  #onMessage(message: FromStore): void {
    if (this.#status === 'closed') return;
    const { logger } = this.#options;
    switch (message.kind) {
      case 'changes':
        this.#apply(message);
        return;
      case 'unchanged':
        this.#asOfMs = message.asOfMs;
        this.#version = message.tablesVersion;
        this.#reads.emit('read');
        return;
      case 'too-large': {
        const { bytes, bytesMax } = message;
        this.#reset();
        this.#status = 'too-large';
        logger.error({ bytes, bytesMax }, 'facets exceed the memory limit; not counted in memory');
        return;
      }
      case 'failed':
        logger.warn({ reason: message.message }, 'facets could not be read; retrying');
    }
  }

  #apply(message: FromStore & { kind: 'changes' }): void {
    const { asOfMs, tablesVersion, loadMs, changes, sizes, bytes } = message;
    this.#catalogue.apply(changes);
    const segments = changes.entities.map((entity) => entity.segments);
    this.#counting?.apply(changes.version, segments);
    this.#asOfMs = asOfMs;
    this.#version = tablesVersion;
    this.#reads.emit('read');
    this.#sizes = sizes;
    this.#bytes = bytes + this.#catalogue.bytes;
    if (loadMs === undefined) return;
    this.#loadMs = loadMs;
    this.#status = 'loaded';
    const { rows } = this.state();
    this.#options.logger.info({ loadMs, bytes: this.#bytes, rows }, 'facets loaded into memory');
  }

  /** Drops all data; returns the array for the versions that counting threads have applied. */
  #reset(): Int32Array {
    this.#catalogue = new Catalogue(this.#options.schema);
    this.#version = -1;
    this.#sizes = [];
    this.#bytes = 0;
    return this.#counting?.reset() ?? new Int32Array(0);
  }
}

async function endStore(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage('stop' satisfies ToStore);
  const timer = setTimeout(() => void worker.terminate(), END_MS_MAX);
  await ended;
  clearTimeout(timer);
}

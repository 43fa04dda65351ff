import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { answerQuery, type RunJob } from './answer-query.ts';
import { Catalogue } from './catalogue.ts';
import { CountingThreads } from './counting-threads.ts';
import type { EntitySize } from './entity-store.ts';
import type { FromStore, StoreData } from './messages.ts';
import { planAggregate, rowsOf } from './plan-aggregate.ts';
import { planRecords } from './plan-query.ts';
import {
  type AggregateQuery,
  type Aggregates,
  EngineUnavailableError,
  type FacetCounts,
  type FacetQuery,
  type LoadedFacetEngine,
  type LoadedState,
  type RecordQuery,
  type RelatedNarrowing,
} from './port.ts';
import { markRelated, type RelatedGroups, relatedIn } from './related.ts';
import type { FacetSchema } from './schema.ts';
import { SupervisedThread } from './supervised-thread.ts';

const GIGABYTE = 1_073_741_824;
/** For at most so many records, sharing the work among threads costs more than it saves. */
const SMALL_COST = 100_000;
const POLL_MS = 200;
const STALE_MS = 10_000;
const SILENT_MS_MAX = 30_000;
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
  #batch = '0';
  #asOfMs: number | undefined;
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
      batch: this.#batch,
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
    const settings = { connection, schema, bytesMax, pollMs, silentMsMax, segmentRecordsMax };
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
    const related = await this.#mark(query.entity, query.related ?? [], signal);
    const counting = this.#readyThreads();
    let threads: 'none' | 'one' | 'all' = 'none';
    const run: RunJob = (job, cost) => {
      threads = cost <= SMALL_COST ? 'one' : 'all';
      return counting.count(job, threads === 'one', signal);
    };
    const counts = await answerQuery(query, this.#catalogue, run, related);
    this.#options.metrics?.counted(threads);
    return counts;
  }

  /** @throws as {@link count}. */
  async countRecords(query: RecordQuery<Entity, Indexed>, signal?: AbortSignal): Promise<number> {
    const related = await this.#mark(query.entity, relatedIn(query.where), signal);
    const counting = this.#readyThreads();
    const { job, cost } = planRecords(query, this.#catalogue, related);
    const isSmall = cost <= SMALL_COST;
    const [count = 0] = await counting.count(job, isSmall, signal);
    this.#options.metrics?.counted(isSmall ? 'one' : 'all');
    return count;
  }

  /** @throws TooManyGroupsError, or as {@link count}. */
  async aggregate(
    query: AggregateQuery<Entity, Dimension, Indexed>,
    signal?: AbortSignal,
  ): Promise<Aggregates> {
    const related = await this.#mark(query.entity, relatedIn(query.where), signal);
    const counting = this.#readyThreads();
    const catalogue = this.#catalogue;
    const plan = planAggregate(query, catalogue, related);
    const asOf = { batch: this.#batch, ms: this.#asOfMs ?? 0 };
    const result = await counting.aggregate(plan.job, signal);
    this.#options.metrics?.counted('one');
    return { ...rowsOf(plan, result, catalogue), asOf };
  }

  /** Marks the related records of narrowings, in the data that is then counted or in one version before it. */
  async #mark(
    entity: Entity,
    related: readonly RelatedNarrowing[],
    signal: AbortSignal | undefined,
  ): Promise<RelatedGroups> {
    signal?.throwIfAborted();
    const counting = this.#readyThreads();
    if (related.length === 0) return new Map();
    const catalogue = this.#catalogue;
    const marked = await markRelated(entity, related, catalogue, (job) =>
      counting.mark(job, catalogue.liveOf(job.entity) <= SMALL_COST, signal),
    );
    // Other data has other numbers.
    if (this.#catalogue !== catalogue) {
      throw new EngineUnavailableError('the data is being reloaded');
    }
    return marked;
  }

  async close(): Promise<void> {
    this.#status = 'closed';
    await Promise.all([this.#counting?.close(), this.#store?.close(endStore)]);
    this.#sizes = [];
    this.#bytes = 0;
  }

  #readyThreads(): CountingThreads {
    if (this.#counting === undefined || !this.state().ready) {
      const { status, lagMs = 0 } = this.state();
      const why = status === 'loaded' ? `its data is ${lagMs} ms old` : `it is ${status}`;
      throw new EngineUnavailableError(why);
    }
    return this.#counting;
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
    const { batch, asOfMs, loadMs, changes, sizes, bytes } = message;
    this.#catalogue.apply(changes);
    const segments = changes.entities.map((entity) => entity.segments);
    this.#counting?.apply(changes.version, segments);
    this.#batch = batch;
    this.#asOfMs = asOfMs;
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
    this.#sizes = [];
    this.#bytes = 0;
    return this.#counting?.reset() ?? new Int32Array(0);
  }
}

async function endStore(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage('stop');
  const timer = setTimeout(() => void worker.terminate(), END_MS_MAX);
  await ended;
  clearTimeout(timer);
}

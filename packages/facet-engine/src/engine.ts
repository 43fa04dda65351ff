import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { ApiError, type Logger } from '@vcds/service-kit';
import { ENTITIES, ENTITY_IDS } from '@vcds/venture-model';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { answerQuery } from './answer-query.ts';
import { Catalogue } from './catalogue.ts';
import type { CountJob } from './count-job.ts';
import { CountingThreads, CountLostError } from './counting-threads.ts';
import type { EntitySize } from './entity-store.ts';
import { type ColumnarMeasures, type CountedBy, createColumnarMeasures } from './measures.ts';
import type { FromStore, StoreData, ToStore } from './messages.ts';
import type { FacetCounts, FacetQuery, LoadedFacetEngine, LoadedState } from './port.ts';
import { SupervisedThread } from './supervised-thread.ts';

const GIGABYTE = 1_073_741_824;
/** Up to so many looks at records, sharing the work among threads costs more than it saves. */
const SMALL_COST = 100_000;
const POLL_MS = 200;
const STALE_MS = 10_000;
const SILENT_MS_MAX = 30_000;
/** The storing thread is given so long to end by itself. */
const END_MS_MAX = 3_000;

export interface ColumnarEngineOptions {
  /**
   * How the storing thread connects; plain data. Loading takes as long as it takes, so the session
   * needs no statement timeout.
   */
  readonly connection: pg.ClientConfig;
  readonly logger: Logger;
  /** Threads that count; by default one a core. */
  readonly threads?: number;
  /** Bytes that the data may take: above it the engine refuses to load. 2 GiB by default. */
  readonly bytesMax?: number;
  /** Milliseconds between looks for changes. */
  readonly pollMs?: number;
  /** Without word from the database for so many milliseconds, the engine does not answer. */
  readonly staleMs?: number;
  /** Without word for so many milliseconds the database is connected to anew. */
  readonly silentMsMax?: number;
  /** Where the engine's own measures are shown; nowhere when absent. */
  readonly registry?: Registry;
  /** Arguments of node for the threads; those of this process when absent. */
  readonly execArgv?: readonly string[];
}

/** What the engine knows of its data, beyond what the port asks for. */
export interface ColumnarState extends LoadedState {
  /** `refused`: the data need more memory than they may take. */
  readonly status: 'idle' | 'loading' | 'loaded' | 'refused' | 'closed';
  /** By entity, in the order of {@link ENTITY_IDS}. */
  readonly sizes: readonly EntitySize[];
  /** Threads that count. */
  readonly threads: number;
}

/**
 * Counts facets in memory (docs/decisions/0009-facets-in-memory.md): one thread loads the facet
 * tables and follows them, others count. Answers what the SQL engine answers, or refuses.
 */
export class ColumnarFacetEngine implements LoadedFacetEngine {
  readonly name = 'columnar';
  readonly #options: ColumnarEngineOptions;
  readonly #measures: ColumnarMeasures | undefined;
  #catalogue = new Catalogue();
  #counting: CountingThreads | undefined;
  #store: SupervisedThread | undefined;
  #status: ColumnarState['status'] = 'idle';
  #asOfMs: number | undefined;
  #loadMs: number | undefined;
  #sizes: readonly EntitySize[] = [];
  #bytes = 0;

  constructor(options: ColumnarEngineOptions) {
    this.#options = options;
    const { registry } = options;
    this.#measures = registry && createColumnarMeasures(registry, () => this.#sizes);
  }

  state(): ColumnarState {
    const lagMs = this.#asOfMs === undefined ? undefined : Math.max(0, Date.now() - this.#asOfMs);
    const staleMs = this.#options.staleMs ?? STALE_MS;
    const liveOf = (index: number) => this.#sizes[index]?.live ?? 0;
    return {
      ready: this.#status === 'loaded' && lagMs !== undefined && lagMs <= staleMs,
      rows: { startups: liveOf(0), funds: liveOf(1), rounds: liveOf(2) },
      bytes: this.#bytes,
      loadMs: this.#loadMs,
      lagMs,
      status: this.#status,
      sizes: this.#sizes,
      threads: this.#counting?.alive ?? 0,
    };
  }

  start(): void {
    if (this.#status !== 'idle') return;
    this.#status = 'loading';
    const { connection, logger, execArgv } = this.#options;
    const { bytesMax = 2 * GIGABYTE, pollMs = POLL_MS } = this.#options;
    const { silentMsMax = SILENT_MS_MAX } = this.#options;
    this.#counting = new CountingThreads({
      threads: this.#options.threads ?? availableParallelism(),
      execArgv,
      onLost: (error) => {
        this.#measures?.lost('count');
        logger.error({ error }, 'a thread that counts facets died');
      },
    });
    const tables = ENTITY_IDS.map((id) => ENTITIES[id].facetTable);
    const settings = { connection, tables, bytesMax, pollMs, silentMsMax };
    this.#store = new SupervisedThread({
      program: 'store-thread',
      workerData: (): StoreData => ({ ...settings, acknowledged: this.#forget() }),
      execArgv,
      onStart: () => undefined,
      onMessage: (message) => this.#hear(message as FromStore),
      onLost: (_, error) => {
        this.#status = 'loading';
        this.#measures?.lost('store');
        logger.error({ error }, 'the thread that stores facets died; loading again');
      },
    });
  }

  async count(query: FacetQuery, signal?: AbortSignal): Promise<FacetCounts> {
    signal?.throwIfAborted();
    if (!this.state().ready) throw unavailable();
    let by: CountedBy = 'none';
    const counts = await answerQuery(query, this.#catalogue, (plan, cost) => {
      by = cost <= SMALL_COST ? 'one' : 'all';
      return this.#count(plan, by, signal);
    });
    this.#measures?.counted(by);
    return counts;
  }

  async close(): Promise<void> {
    this.#status = 'closed';
    await Promise.all([this.#counting?.close(), this.#store?.close(endStore)]);
    this.#sizes = [];
    this.#bytes = 0;
  }

  async #count(plan: CountJob, by: CountedBy, signal?: AbortSignal): Promise<Uint32Array> {
    if (this.#counting === undefined) throw unavailable();
    try {
      return await this.#counting.count(plan, by === 'one', signal);
    } catch (error) {
      if (error instanceof CountLostError) throw unavailable(error);
      throw error;
    }
  }

  #hear(message: FromStore): void {
    if (this.#status === 'closed') return;
    const { logger } = this.#options;
    switch (message.kind) {
      case 'changes':
        this.#take(message);
        return;
      case 'unchanged':
        this.#asOfMs = message.asOfMs;
        return;
      case 'refused': {
        const { bytes, bytesMax } = message;
        this.#forget();
        this.#status = 'refused';
        logger.error({ bytes, bytesMax }, 'facets need more memory than allowed: SQL counts them');
        return;
      }
      case 'trouble':
        logger.warn({ reason: message.message }, 'facets cannot be read; trying again');
    }
  }

  #take({ asOfMs, loadMs, changes, sizes, bytes }: FromStore & { kind: 'changes' }): void {
    this.#catalogue.apply(changes);
    const segments = changes.entities.map((entity) => entity.segments);
    this.#counting?.apply(changes.version, segments);
    this.#asOfMs = asOfMs;
    this.#sizes = sizes;
    this.#bytes = bytes + this.#catalogue.bytes;
    if (loadMs === undefined) return;
    this.#loadMs = loadMs;
    this.#status = 'loaded';
    const { rows } = this.state();
    this.#options.logger.info({ loadMs, bytes: this.#bytes, rows }, 'facets are counted in memory');
  }

  #forget(): Int32Array {
    this.#catalogue = new Catalogue();
    this.#sizes = [];
    this.#bytes = 0;
    return this.#counting?.reset() ?? new Int32Array(0);
  }
}

function unavailable(cause?: Error): ApiError {
  return new ApiError('unavailable', 'Facets cannot be counted in memory now.', {}, { cause });
}

async function endStore(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage('stop' satisfies ToStore);
  const timer = setTimeout(() => void worker.terminate(), END_MS_MAX);
  await ended;
  clearTimeout(timer);
}

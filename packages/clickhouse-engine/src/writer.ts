import { setTimeout as delay } from 'node:timers/promises';
import {
  type EngineLogger,
  type FacetSchema,
  FacetSource,
  MissingBatchError,
} from '@vcds/facet-engine';
import type pg from 'pg';
import { Connection } from './client.ts';
import { CopySink } from './copy.ts';
import {
  isRebuildAsked,
  type Position,
  readPosition,
  storePosition,
  usedGenerations,
} from './position.ts';
import { type Generation, type Place, Tables } from './tables.ts';

/** One statement per poll and table is what ClickHouse takes easily. */
const POLL_MS = 1_000;
const TIMES = { cleanMs: 60_000, keptMs: 300_000 } as const;
const BATCH_BYTES = 16_777_216;
/** An insert, or the merge of all parts. */
const STATEMENT_MS_MAX = 600_000;

export interface CopyWriterOptions extends Place {
  readonly url: string;
  readonly schema: FacetSchema;
  readonly logger: EngineLogger;
  /** A new connection to the primary, without a time limit for statements. */
  readonly connect: () => Promise<pg.Client>;
  readonly pollMs?: number;
  /** Milliseconds between looks for generations that are replaced, and how long these are kept. */
  readonly times?: { readonly cleanMs: number; readonly keptMs: number };
  /** Bytes of rows of a table in one insert, at least. */
  readonly batchBytes?: number;
  readonly onWritten?: (rows: number) => void;
  readonly onPosition?: (version: string, ms: number) => void;
}

/** A generation that follows the facet tables. */
interface Copy {
  readonly sink: CopySink;
  readonly source: FacetSource;
  readonly client: pg.Client;
}

/**
 * Copies the facet tables into ClickHouse and follows their changes. One process at a time should write; a second
 * one writes the same rows, which does no harm. The position is stored after the rows that it covers, so whatever
 * was written when a process ended is written once more, under the same or a later version.
 */
export class CopyWriter {
  readonly #options: CopyWriterOptions;
  readonly #tables: Tables;
  readonly #connection: Connection;
  #cleanedMs = 0;
  /** The version of the newest position. */
  #newest = 0n;

  constructor(options: CopyWriterOptions) {
    this.#options = options;
    this.#tables = new Tables(options.schema, options);
    this.#connection = new Connection({
      ...options,
      msMax: STATEMENT_MS_MAX,
      settings:
        options.cluster === undefined
          ? {}
          : {
              // Rows that are reported as stored are on most replicas, in the order of the writes.
              insert_quorum: 'auto',
              insert_quorum_parallel: 0,
              distributed_foreground_insert: 1,
              distributed_ddl_task_timeout: '600',
            },
    });
  }

  /**
   * Follows the tables until the signal is aborted. Without a generation of this layout, or if the tables do not
   * continue it, a new one is loaded; if one is asked for, while the current one follows.
   *
   * @throws ClickHouseFailure, and errors of pg.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const failed = new AbortController();
    const stopped = AbortSignal.any([signal, failed.signal]);
    let copy: Copy | undefined;
    let loading: Promise<void> | undefined;
    let loaded: Copy | undefined;
    try {
      for (const statement of this.#tables.shared()) await this.#connection.run(statement);
      copy = await this.#resume(stopped);
      while (!signal.aborted) {
        copy = await this.#advance(copy, stopped);
        const { generation } = copy.sink;
        if (loading === undefined && (await this.#isRebuildAsked(generation))) {
          loading = this.#load(stopped).then((each) => {
            loaded = each;
          });
          loading.catch(() => failed.abort());
        }
        if (loaded !== undefined) {
          await endCopy(copy);
          copy = loaded;
          [loading, loaded] = [undefined, undefined];
        }
        failed.signal.throwIfAborted();
        await this.#clean(copy.sink.generation, loading !== undefined);
        const pause = this.#options.pollMs ?? POLL_MS;
        await delay(pause, undefined, { signal: stopped }).catch(() => undefined);
      }
    } finally {
      failed.abort();
      await loading?.catch(() => undefined);
      for (const each of [copy, loaded]) if (each) await endCopy(each);
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** Continues the last generation, or loads one. */
  async #resume(signal: AbortSignal): Promise<Copy> {
    const position = await readPosition(this.#connection, this.#tables);
    if (position === undefined) return this.#load(signal);
    this.#newest = BigInt(position.version);
    return this.#open(position.generation, this.#newest, signal);
  }

  async #open(
    generation: Generation,
    version: bigint | undefined,
    signal: AbortSignal,
  ): Promise<Copy> {
    const { schema, connect, batchBytes = BATCH_BYTES } = this.#options;
    const connection = this.#connection;
    const sink = new CopySink(schema, this.#tables, {
      ...{ connection, generation, signal, batchBytes },
    });
    const client = await connect();
    // Ends the statement under way.
    signal.addEventListener('abort', () => void client.end().catch(() => undefined), {
      once: true,
    });
    const options = { schema, bytesMax: Number.POSITIVE_INFINITY, version };
    const source = new FacetSource(client, sink, { ...options, onResponse: () => undefined });
    return { sink, source, client };
  }

  /** Loads a new generation: readers see it once its position is stored. */
  async #load(signal: AbortSignal): Promise<Copy> {
    const generation = String(Date.now());
    const startedMs = performance.now();
    const { logger } = this.#options;
    logger.info({ generation }, 'loading the facets into ClickHouse');
    for (const statement of this.#tables.make(generation)) await this.#connection.run(statement);
    const copy = await this.#open(generation, undefined, signal);
    try {
      await this.#write(copy);
      for (const statement of this.#tables.merge(generation)) {
        await this.#connection.run(statement);
      }
      // Readers of the generation before have seen its position: this one must not be older.
      let written = await this.#write(copy);
      while (BigInt(written.version) < this.#newest) written = await this.#write(copy);
      await this.#publish(written);
    } catch (error) {
      await endCopy(copy);
      throw error;
    }
    const seconds = (performance.now() - startedMs) / 1_000;
    logger.info({ generation, seconds }, 'the facets are loaded into ClickHouse');
    return copy;
  }

  /** Writes the changes since the last read; loads all if they do not continue it. */
  async #advance(copy: Copy, signal: AbortSignal): Promise<Copy> {
    try {
      await this.#publish(await this.#write(copy));
      return copy;
    } catch (error) {
      if (!(error instanceof MissingBatchError)) throw error;
      this.#options.logger.warn({ reason: error.message }, 'the facets are loaded again');
      this.#newest = 0n;
      await endCopy(copy);
      return this.#load(signal);
    }
  }

  /** Resolves with the position of the copy once all rows up to it are stored. */
  async #write({ source, sink }: Copy): Promise<Position> {
    const { version, asOfMs } = await source.read();
    await sink.flush();
    this.#options.onWritten?.(sink.written);
    sink.written = 0;
    return { generation: sink.generation, version: String(version), ms: asOfMs };
  }

  async #publish(position: Position): Promise<void> {
    await storePosition(this.#connection, this.#tables, position);
    this.#newest = BigInt(position.version);
    this.#options.onPosition?.(position.version, position.ms);
  }

  #isRebuildAsked(generation: Generation): Promise<boolean> {
    return isRebuildAsked(this.#connection, this.#tables, generation);
  }

  /** Drops generations that no process reads any more. */
  async #clean(current: Generation, isLoading: boolean): Promise<void> {
    const { cleanMs, keptMs } = this.#options.times ?? TIMES;
    const nowMs = Date.now();
    if (isLoading || nowMs - this.#cleanedMs < cleanMs) return;
    this.#cleanedMs = nowMs;
    const used = await usedGenerations(this.#connection, this.#tables, nowMs - keptMs);
    const tables = await this.#connection.rows<{ name: string; generation: string }>(
      this.#tables.list,
    );
    for (const { name, generation } of tables) {
      if (generation === current || used.includes(generation)) continue;
      await this.#connection.run(this.#tables.drop(name));
    }
  }
}

async function endCopy({ client }: Copy): Promise<void> {
  await client.end().catch(() => undefined);
}

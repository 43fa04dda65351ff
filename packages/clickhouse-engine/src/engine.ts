import { setTimeout as delay } from 'node:timers/promises';
import {
  type AggregateQuery,
  type Aggregates,
  type EngineLogger,
  EngineUnavailableError,
  type FacetCounts,
  type FacetQuery,
  type FacetSchema,
  type LoadedFacetEngine,
  type LoadedState,
  type RecordQuery,
  TooManyGroupsError,
} from '@vcds/facet-engine';
import { aggregatesOf, compileAggregate, type GroupRow } from './aggregate.ts';
import { ClickHouseFailure, Connection } from './client.ts';
import { Compiler } from './conditions.ts';
import { type CountRow, compileFacets, countsOf } from './count-facets.ts';
import { type Position, readPosition } from './position.ts';
import { type Place, Tables } from './tables.ts';

const POLL_MS = 500;
const STALE_MS = 60_000;
/** After so many statements without a response no query is sent, until one has a response. */
const FAILED_MAX = 2;
const QUERY_MS_MAX = 10_000;
const MEMORY_BYTES_MAX = 4_294_967_296;
/** Its number in ClickHouse: more groups than `max_rows_to_group_by`. */
const TOO_MANY_ROWS = 158;

export interface ClickHouseEngineOptions<
  Entity extends string = string,
  Dimension extends string = string,
> extends Place {
  readonly url: string;
  readonly schema: FacetSchema<Entity, Dimension>;
  readonly logger: EngineLogger;
  /** Milliseconds after which ClickHouse stops a query. */
  readonly queryMsMax?: number;
  /** Milliseconds between reads of the position of the copy. */
  readonly pollMs?: number;
  /** Milliseconds without news of the copy after which the engine does not count. */
  readonly staleMs?: number;
}

/** Counts in ClickHouse, in the copy that a {@link CopyWriter} keeps up to date. */
export class ClickHouseEngine<
  Entity extends string = string,
  Dimension extends string = string,
  Indexed extends string = Dimension,
> implements LoadedFacetEngine<Entity, Dimension, Indexed>
{
  readonly name = 'clickhouse';
  readonly #options: ClickHouseEngineOptions<Entity, Indexed>;
  readonly #tables: Tables;
  readonly #connection: Connection;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #startedMs = 0;
  /** Statements without a response, one after another. */
  #failed = 0;
  #loadMs: number | undefined;
  #position: Position | undefined;
  #rows: Readonly<Record<string, number>> = {};

  constructor(options: ClickHouseEngineOptions<Entity, Indexed>) {
    this.#options = options;
    this.#tables = new Tables(options.schema, options);
    this.#connection = new Connection({
      ...options,
      msMax: options.queryMsMax ?? QUERY_MS_MAX,
      settings: {
        readonly: '2',
        max_memory_usage: String(MEMORY_BYTES_MAX),
        max_result_rows: '200000',
        cancel_http_readonly_queries_on_client_close: 1,
        // Of a cluster: a replica that lacks rows which the writer counts as stored does not answer.
        ...(options.cluster !== undefined && { select_sequential_consistency: '1' }),
      },
    });
  }

  state(): LoadedState<Entity> {
    const position = this.#position;
    const { staleMs = STALE_MS } = this.#options;
    const lagMs = position && Math.max(0, Date.now() - position.ms);
    const rows = this.#options.schema.entities.map(({ id }) => [id, this.#rows[id] ?? 0]);
    return {
      ready: lagMs !== undefined && lagMs <= staleMs && this.#failed < FAILED_MAX,
      rows: Object.fromEntries(rows) as Record<Entity, number>,
      bytes: 0,
      loadMs: this.#loadMs,
      lagMs,
      ...(position && { batch: position.version }),
    };
  }

  start(): void {
    this.#startedMs = performance.now();
    this.#running ??= this.#poll();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#connection.close();
  }

  /** @throws EngineUnavailableError, or the reason of the signal. */
  async count(
    query: FacetQuery<Entity, Dimension>,
    signal?: AbortSignal,
  ): Promise<FacetCounts<Dimension>> {
    const compiler = this.#compiler();
    const sql = compileFacets(query, compiler);
    const rows = await this.#rowsOf<CountRow>(sql, compiler, signal);
    return countsOf(query, rows, compiler) as FacetCounts<Dimension>;
  }

  /** @throws as {@link count}. */
  async countRecords(
    { entity, where }: RecordQuery<Entity, Indexed>,
    signal?: AbortSignal,
  ): Promise<number> {
    const compiler = this.#compiler();
    const sql = `SELECT count() AS n FROM ${compiler.records(entity)}
      WHERE ${compiler.condition(entity, where)}`;
    const [row] = await this.#rowsOf<{ n: number }>(sql, compiler, signal);
    return row?.n ?? 0;
  }

  /** @throws TooManyGroupsError, or as {@link count}. */
  async aggregate(
    query: AggregateQuery<Entity, Dimension, Indexed>,
    signal?: AbortSignal,
  ): Promise<Aggregates> {
    const { version, ms } = this.#current();
    const compiler = this.#compiler();
    const sql = compileAggregate(query, compiler);
    try {
      const rows = await this.#rowsOf<GroupRow>(sql, compiler, signal, query.groupsMax + 1);
      return { ...aggregatesOf(query, rows, compiler), asOf: { batch: version, ms } };
    } catch (error) {
      const { cause } = error as Error;
      if (cause instanceof ClickHouseFailure && cause.code === TOO_MANY_ROWS) {
        throw new TooManyGroupsError(query.groupsMax);
      }
      throw error;
    }
  }

  #compiler(): Compiler {
    return new Compiler(this.#options.schema, this.#tables, this.#current().generation);
  }

  /** The next query reads nothing older than this position. */
  #current(): Position {
    if (this.#position === undefined || !this.state().ready) {
      throw new EngineUnavailableError('the copy in ClickHouse is not loaded, or not up to date');
    }
    return this.#position;
  }

  async #rowsOf<Row>(
    sql: string,
    { params }: Compiler,
    signal?: AbortSignal,
    groupsMax?: number,
  ): Promise<readonly Row[]> {
    try {
      const settings = groupsMax === undefined ? {} : { max_rows_to_group_by: String(groupsMax) };
      return await this.#connection.rows<Row>(sql, params, signal, settings);
    } catch (error) {
      if (!(error instanceof ClickHouseFailure)) throw error;
      if (error.code === undefined) this.#failed += 1;
      throw new EngineUnavailableError(error.message, { cause: error });
    }
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
        this.#failed = 0;
      } catch (error) {
        this.#failed += 1;
        if (this.#failed === FAILED_MAX && !signal.aborted) {
          this.#options.logger.warn({ error }, 'the position of ClickHouse could not be read');
        }
      }
      const pause = this.#options.pollMs ?? POLL_MS;
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const found = await readPosition(this.#connection, this.#tables, signal);
    const seen = this.#position;
    // A server without the last rows is behind: what was seen before stays the least.
    if (found === undefined || (seen !== undefined && isBefore(found, seen))) return;
    if (seen?.generation !== found.generation) await this.#open(found, signal);
    this.#position = found;
  }

  async #open(found: Position, signal: AbortSignal): Promise<void> {
    const counts = this.#options.schema.entities.map(async ({ id }) => {
      const table = this.#tables.records(id, found.generation);
      const [row] = await this.#connection.rows<{ n: number }>(
        `SELECT count() AS n FROM ${table}`,
        {},
        signal,
      );
      return [id, row?.n ?? 0] as const;
    });
    this.#rows = Object.fromEntries(await Promise.all(counts));
    this.#loadMs ??= performance.now() - this.#startedMs;
    const fields = { generation: found.generation, rows: this.#rows };
    this.#options.logger.info(fields, 'facets are counted in ClickHouse');
  }
}

function isBefore(one: Position, other: Position): boolean {
  const difference =
    BigInt(one.generation) - BigInt(other.generation) ||
    BigInt(one.version) - BigInt(other.version);
  return difference < 0n || (difference === 0n && one.ms < other.ms);
}

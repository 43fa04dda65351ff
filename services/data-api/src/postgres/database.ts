import { ApiError, type Logger } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from './connection.ts';
import { NAMED_MAX, StatementShapes } from './plan-cache.ts';
import type { Statement } from './statement.ts';

export interface DatabaseOptions {
  readonly connectionString: string;
  /** Connections of each of the two pools for statements of any kind. */
  readonly connectionsMax: number;
  /** A statement that takes longer is stopped: 503 `unavailable`, at no cost. */
  readonly statementMsMax: number;
  /** The same limit for statements that no index may narrow down. */
  readonly scanMsMax?: number;
  /** Connections that those share; by default as many as the others have. */
  readonly scanConnectionsMax?: number;
  readonly logger: Logger;
}

/** What a statement answered. `body` is null when the record asked for is not there. */
export interface Answer {
  readonly body: string | null;
  readonly records: number;
  readonly more: boolean;
}

const SETTINGS = {
  jit: 'off',
  timezone: 'UTC',
  search_path: 'venture,public',
  // One statement takes one processor, so that a share of the connections is a share of processors.
  max_parallel_workers_per_gather: 0,
  default_transaction_read_only: 'on',
} as const;

/** SQLSTATE of a statement that was cancelled, which its time limit does. */
const TIMED_OUT = '57014';
// SQLSTATEs that mean the database is out of reach or busy, not that we are wrong.
const UNAVAILABLE = new Set([TIMED_OUT, '57P01', '57P02', '57P03', '53300', '53400', '55P03']);
const CONNECTION_CLASS = '08';
// What the client says, without a code, of a connection that is silent or lost.
const CONNECTION_GONE =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/;

/**
 * The read side of PostgreSQL. Statements whose one plan is good for all values are prepared by
 * name and planned once; the others, and those that turned out slow that way, are planned with
 * their values. Statements that may read a whole table have a shorter time limit and few
 * connections. Three pools, because these are settings of the connection; each opens on demand.
 */
export class Database {
  /** Planned once. */
  readonly pool: pg.Pool;
  readonly #plannedWithValues: pg.Pool;
  readonly #scans: pg.Pool;
  readonly #shapes = new StatementShapes(() => performance.now());
  readonly #preparedBy = new WeakMap<pg.PoolClient, Set<string>>();

  constructor(options: DatabaseOptions) {
    this.pool = openPool(options, 'force_generic_plan');
    this.#plannedWithValues = openPool(options, 'force_custom_plan');
    const { connectionsMax, statementMsMax } = options;
    const { scanMsMax = statementMsMax, scanConnectionsMax = connectionsMax } = options;
    this.#scans = openPool(
      {
        ...options,
        connectionsMax: scanConnectionsMax,
        statementMsMax: Math.min(scanMsMax, statementMsMax),
      },
      'force_custom_plan',
    );
  }

  /** The pools for metrics: by how statements are planned, and the one of scans. */
  get pools(): Readonly<Record<string, pg.Pool>> {
    return {
      generic_plan: this.pool,
      custom_plan: this.#plannedWithValues,
      scans: this.#scans,
    };
  }

  /**
   * Runs a statement.
   *
   * @throws ApiError `unavailable` when the database is out of reach or takes too long.
   */
  async answer(statement: Statement): Promise<Answer> {
    const rows = await this.rows<Answer>(statement);
    const [row] = rows;
    if (row === undefined) throw new Error('A statement that answers one row answered none.');
    return row;
  }

  /** The rows of a statement, for steps that work on them further. */
  async rows<Row extends object>(statement: Statement): Promise<Row[]> {
    const { text, values, recurs, scans = false } = statement;
    const name = recurs ? this.#shapes.nameOf(text) : undefined;
    try {
      if (scans || name === undefined) {
        const pool = scans ? this.#scans : this.#plannedWithValues;
        return (await pool.query<Row>({ text, values: [...values] })).rows;
      }
      return await this.#prepared<Row>({ name, text, values: [...values] });
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.#plannedWithValues.end(), this.#scans.end()]);
  }

  // The wait for a connection says nothing about the statement.
  async #prepared<Row extends object>(query: pg.QueryConfig & { name: string }): Promise<Row[]> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const startedMs = performance.now();
      const { rows } = await client.query<Row>(query);
      this.#shapes.took(query.name, performance.now() - startedMs);
      return rows;
    } catch (error) {
      broken = error instanceof pg.DatabaseError ? undefined : asError(error);
      if (error instanceof pg.DatabaseError)
        this.#shapes.took(query.name, Number.POSITIVE_INFINITY);
      throw error;
    } finally {
      client.release(broken ?? this.#isFull(client, query.name));
    }
  }

  // A connection keeps what it has prepared, also what has no name any more: one that has prepared
  // more than has names at a time is closed, and another opened on demand.
  #isFull(client: pg.PoolClient, name: string): boolean {
    const names = this.#preparedBy.get(client) ?? new Set();
    this.#preparedBy.set(client, names.add(name));
    return names.size > NAMED_MAX;
  }
}

function openPool(options: DatabaseOptions, planning: string): pg.Pool {
  const { connectionString, connectionsMax, statementMsMax } = options;
  const settings = { ...SETTINGS, plan_cache_mode: planning };
  const pool = new pg.Pool({
    ...connectionOptions({ connectionString, name: 'data-api', settings, statementMsMax }),
    max: connectionsMax,
  });
  pool.on('error', (error) => options.logger.warn({ error }, 'idle connection lost'));
  // One lost while in use fails the statement at hand, which is heard of there.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Whether a failure is the database's own: out of reach, or lost. A time limit is none. */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof ApiError) || !(thrown.cause instanceof Error)) return false;
  return !('code' in thrown.cause && thrown.cause.code === TIMED_OUT);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    UNAVAILABLE.has(code) ||
    code.startsWith(CONNECTION_CLASS) ||
    /^E[A-Z]+$/.test(code) ||
    CONNECTION_GONE.test(error.message)
  );
}

function unavailable(cause: unknown): ApiError {
  return new ApiError(
    'unavailable',
    'The data cannot be read in time just now; the call cost nothing. Retry a little later, or ' +
      'narrow the filter.',
    {},
    { cause },
  );
}

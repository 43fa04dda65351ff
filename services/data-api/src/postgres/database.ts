import { ApiError, type Logger } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from './connection.ts';
import { NAMED_MAX, StatementShapes } from './plan-cache.ts';
import type { Statement } from './statement.ts';

export interface DatabaseOptions {
  readonly connectionString: string;
  /** Connections of each of the two pools for statements of any kind. */
  readonly connectionsMax: number;
  /** A longer statement is cancelled: 503 `unavailable`, free. */
  readonly statementMsMax: number;
  /** The same limit for statements that may scan a whole table. */
  readonly scanMsMax?: number;
  /** The connections that these share; default `connectionsMax`. */
  readonly scanConnectionsMax?: number;
  readonly logger: Logger;
}

/** The result of a statement. `body` is null if the record does not exist. */
export interface Answer {
  readonly body: string | null;
  readonly records: number;
  readonly more: boolean;
  /** The cursor of the next page, if the page has one. */
  readonly next?: string;
  /** Headers of the response, in addition to those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
}

const SETTINGS = {
  jit: 'off',
  timezone: 'UTC',
  search_path: 'venture,public',
  // One statement uses one processor, so a share of the connections is a share of the processors.
  max_parallel_workers_per_gather: 0,
  default_transaction_read_only: 'on',
} as const;

/** SQLSTATE of a cancelled statement, for example by its time limit. */
const TIMED_OUT = '57014';
// SQLSTATEs of an unreachable or overloaded database, as opposed to an invalid statement.
const UNAVAILABLE = new Set([TIMED_OUT, '57P01', '57P02', '57P03', '53300', '53400', '55P03']);
const CONNECTION_CLASS = '08';
// Messages of the client, without a code, for a silent or lost connection.
const CONNECTION_GONE =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/;

/**
 * Reads from PostgreSQL. Recurring statements are prepared and have a generic plan; the others, and
 * those that were slow with it, have a custom plan for their values. Statements that may scan a
 * whole table have a shorter time limit and few connections. These are settings of a connection, so
 * there are three pools, which open connections on demand.
 */
export class Database {
  /** Connections with generic plans. */
  readonly pool: pg.Pool;
  readonly #customPlans: pg.Pool;
  readonly #scans: pg.Pool;
  readonly #shapes = new StatementShapes(() => performance.now());
  readonly #preparedBy = new WeakMap<pg.PoolClient, Set<string>>();

  constructor(options: DatabaseOptions) {
    this.pool = openPool(options, 'force_generic_plan');
    this.#customPlans = openPool(options, 'force_custom_plan');
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

  /** The pools by name, for metrics. */
  get pools(): Readonly<Record<string, pg.Pool>> {
    return {
      generic_plan: this.pool,
      custom_plan: this.#customPlans,
      scans: this.#scans,
    };
  }

  /**
   * Runs a statement.
   *
   * @throws ApiError `unavailable` if the database is unreachable or too slow.
   */
  async answer(statement: Statement): Promise<Answer> {
    const [row] = await this.rows<Answer>(statement);
    if (row === undefined) throw new Error('The statement returned no row.');
    return row;
  }

  /** The rows of a statement, for further processing. */
  async rows<Row extends object>(statement: Statement): Promise<Row[]> {
    const { text, values, recurs, scans = false } = statement;
    const name = recurs ? this.#shapes.nameOf(text) : undefined;
    try {
      if (scans || name === undefined) {
        const pool = scans ? this.#scans : this.#customPlans;
        return (await pool.query<Row>({ text, values: [...values] })).rows;
      }
      return await this.#prepared<Row>({ name, text, values: [...values] });
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.#customPlans.end(), this.#scans.end()]);
  }

  // The measured time excludes the wait for a connection.
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

  // A connection keeps all its prepared statements, also evicted ones: it is closed once it has
  // prepared more than the maximum.
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
  // A connection lost in use fails its statement, which reports it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Whether the database was unreachable or its connection lost. A time limit is not an outage. */
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
    'The query timed out or the database is unavailable; no credits were charged. Retry later, ' +
      'or narrow the filter.',
    {},
    { cause },
  );
}

import { type Logger, tracedQuery } from '@vcds/service-kit';
import pg from 'pg';
import { BatchedReads } from './batched-reads.ts';
import { cancelOnAbort } from './cancel-statement.ts';
import { failureOf, unavailable } from './errors.ts';
import { NAMED_MAX, StatementNames } from './plan-cache.ts';
import { type Pooler, ReadPool } from './read-pool.ts';
import type { BatchedStatement, Statement } from './statement.ts';

export interface ReadServerOptions {
  readonly connectionString: string;
  /** Connections of each of the two pools for statements of any kind. */
  readonly connectionsMax: number;
  /** A longer statement is cancelled: 503 `unavailable`, free. */
  readonly statementMsMax: number;
  /** The same limit for statements that may scan a whole table. */
  readonly scanMsMax?: number;
  /** The connections that these share; default `connectionsMax`. */
  readonly scanConnectionsMax?: number;
  /** Default `none`. */
  readonly pooler?: Pooler;
  readonly logger: Logger;
}

/** The limits of one statement. */
export interface ReadLimits {
  /** A shorter time limit than that of the server, in milliseconds. */
  readonly msMax?: number | undefined;
  /** Cancels the statement, unless other calls share it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads from one PostgreSQL server. Recurring statements are prepared. Those that one plan suits have
 * a generic plan; the others are planned for the values of each execution. Statements that may scan
 * a whole table have a shorter time limit and few connections. These are settings of a connection,
 * so there are three pools, which open connections on demand. Through a pooler without prepared
 * statements, all statements are planned for their values.
 */
export class ReadServer {
  readonly #genericPlans: ReadPool;
  readonly #customPlans: ReadPool;
  readonly #scans: ReadPool;
  readonly #isNaming: boolean;
  readonly #names = new StatementNames();
  readonly #preparedBy = new WeakMap<pg.PoolClient, Set<string>>();
  readonly #query = tracedQuery(
    ({ text }: Statement) => ({ name: 'SELECT', text }),
    (statement: Statement, limits: ReadLimits) =>
      isBatched(statement) && limits.msMax === undefined
        ? this.#batched.rows(statement)
        : this.#read(statement, limits),
  );
  readonly #batched = new BatchedReads((statement) => this.#read(statement, NO_LIMITS));

  constructor(options: ReadServerOptions) {
    const { connectionsMax, statementMsMax, pooler = 'none' } = options;
    const { scanMsMax = statementMsMax, scanConnectionsMax = connectionsMax } = options;
    const custom = { ...options, pooler, planning: 'force_custom_plan' } as const;
    this.#isNaming = pooler !== 'transaction';
    this.#genericPlans = new ReadPool({ ...custom, planning: 'force_generic_plan' });
    this.#customPlans = new ReadPool(custom);
    this.#scans = new ReadPool({
      ...custom,
      connectionsMax: scanConnectionsMax,
      statementMsMax: Math.min(scanMsMax, statementMsMax),
    });
  }

  /** Connections with generic plans. */
  get pool(): pg.Pool {
    return this.#genericPlans.pool;
  }

  /** The pools by name, for metrics. */
  get pools(): Readonly<Record<string, pg.Pool>> {
    return {
      generic_plan: this.pool,
      custom_plan: this.#customPlans.pool,
      scans: this.#scans.pool,
    };
  }

  /**
   * The rows of a statement.
   *
   * @throws ApiError `unavailable` if the server is unreachable or too slow; the reason of an aborted
   *   signal.
   */
  rows<Row extends object>(statement: Statement, limits: ReadLimits = NO_LIMITS): Promise<Row[]> {
    return this.#query(statement, limits) as Promise<Row[]>;
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.pools).map((pool) => pool.end()));
  }

  async #read(statement: Statement, { msMax, signal }: ReadLimits): Promise<object[]> {
    const { text, values } = statement;
    const named = this.#isNaming ? this.#names.nameOf(text) : undefined;
    // The client copies neither; spreads would give each kind of query another hidden class.
    const query: pg.QueryConfig & { query_timeout?: number } = {
      text: named?.text ?? text,
      values: values as unknown[],
    };
    if (named !== undefined) query.name = named.name;
    if (msMax !== undefined) query.query_timeout = msMax;
    try {
      return await this.#rows(this.#poolOf(statement, query.name), query, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOf(error) === undefined ? error : unavailable(error);
    }
  }

  #poolOf({ plan, scans = false }: Statement, name: string | undefined): ReadPool {
    if (scans) return this.#scans;
    return plan === 'generic' && name !== undefined ? this.#genericPlans : this.#customPlans;
  }

  // A connection stays open after an error that the server reports, such as a time limit: new
  // connections would slow down a server that is slow already. After a fatal one, the server closes it.
  async #rows(reads: ReadPool, query: pg.QueryConfig, signal?: AbortSignal): Promise<object[]> {
    const client = await reads.pool.connect();
    let broken: Error | undefined;
    const endOfCancel = cancelOnAbort(client, signal);
    try {
      signal?.throwIfAborted();
      return await reads.rowsOf<object>(client, query);
    } catch (error) {
      const isIntact =
        error instanceof pg.DatabaseError ? !isFatal(error) : isReasonOf(signal, error);
      broken = isIntact ? undefined : asError(error);
      throw error;
    } finally {
      await endOfCancel();
      client.release(broken ?? this.#isFull(client, query.name));
    }
  }

  // A connection keeps all its prepared statements, also evicted ones: it is closed once it has
  // prepared more than the maximum.
  #isFull(client: pg.PoolClient, name: string | undefined): boolean {
    if (name === undefined) return false;
    const names = this.#preparedBy.get(client) ?? new Set();
    this.#preparedBy.set(client, names.add(name));
    return names.size > NAMED_MAX;
  }
}

const NO_LIMITS: ReadLimits = Object.freeze({});

function isReasonOf(signal: AbortSignal | undefined, error: unknown): boolean {
  return signal?.aborted === true && signal.reason === error;
}

function isBatched(statement: Statement): statement is BatchedStatement {
  return statement.id !== undefined;
}

function isFatal({ severity }: pg.DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC';
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

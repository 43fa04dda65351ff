import type { Logger } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from './connection.ts';

/**
 * The service connects to PostgreSQL directly; through a pooler that gives a connection to each
 * transaction; or such a pooler that also keeps track of prepared statements.
 */
export const POOLERS = ['none', 'transaction', 'prepared'] as const;
export type Pooler = (typeof POOLERS)[number];

export interface ReadPoolOptions {
  readonly connectionString: string;
  readonly connectionsMax: number;
  /** A longer statement is cancelled. */
  readonly statementMsMax: number;
  /** `plan_cache_mode` of PostgreSQL. */
  readonly planning: 'force_generic_plan' | 'force_custom_plan';
  readonly pooler: Pooler;
  readonly logger: Logger;
}

const SETTINGS = {
  jit: 'off',
  timezone: 'UTC',
  search_path: 'venture,public',
  // One statement uses one processor, so a share of the connections is a share of the processors.
  max_parallel_workers_per_gather: 0,
  // The pages of 200,000 matches of an index; of more, each row of a page is compared again.
  work_mem: '16MB',
} as const;

/**
 * Connections for reads with equal settings. Through a pooler, which does not keep settings of a
 * session, each statement is a transaction that begins with them.
 */
export class ReadPool {
  readonly pool: pg.Pool;
  readonly #begin: string | undefined;

  constructor(options: ReadPoolOptions) {
    const { connectionString, connectionsMax, statementMsMax, planning, pooler, logger } = options;
    const settings = { ...SETTINGS, plan_cache_mode: planning };
    const isPooled = pooler !== 'none';
    this.#begin = isPooled
      ? beginWith({ ...settings, statement_timeout: statementMsMax })
      : undefined;
    this.pool = new pg.Pool({
      ...connectionOptions({
        ...{ connectionString, name: 'data-api', statementMsMax },
        settings: isPooled ? undefined : { ...settings, default_transaction_read_only: 'on' },
      }),
      max: connectionsMax,
      // Idle connections stay open: a new one has neither prepared statements nor cached metadata,
      // so that its first statements take some ten times as long.
      idleTimeoutMillis: 0,
      // Sends the statements of a transaction together, in one round trip.
      pipeline: isPooled,
    });
    this.pool.on('error', (error) => logger.warn({ error }, 'idle connection lost'));
    // A connection lost in use fails its statement, which reports it.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** The rows of a statement on a connection of this pool. */
  async rowsOf<Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    query: pg.QueryConfig,
  ): Promise<Row[]> {
    if (this.#begin === undefined) return (await client.query<Row>(query)).rows;
    const [begun, result] = await Promise.allSettled([
      client.query(this.#begin),
      client.query<Row>(query),
      client.query('COMMIT'),
    ]);
    if (begun.status === 'rejected') throw begun.reason;
    if (result.status === 'rejected') throw result.reason;
    return result.value.rows;
  }
}

function beginWith(settings: Readonly<Record<string, string | number>>): string {
  const set = Object.entries(settings).map(([name, value]) => {
    // Of a list, each part has quotes of its own.
    const parts = String(value).split(',');
    return `SET LOCAL ${name} = ${parts.map((part) => `'${part}'`).join(', ')}`;
  });
  return ['BEGIN READ ONLY', ...set].join('; ');
}

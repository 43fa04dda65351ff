import { createHash } from 'node:crypto';
import { ApiError, type Logger } from '@vcds/service-kit';
import pg from 'pg';
import type { Statement } from './statement.ts';

export interface DatabaseOptions {
  readonly connectionString: string;
  readonly connectionsMax: number;
  /** A statement that takes longer is stopped: 503 `unavailable`, at no cost. */
  readonly statementMsMax: number;
  readonly logger: Logger;
}

/** What a statement answered. `body` is null when the record asked for is not there. */
export interface Answer {
  readonly body: string | null;
  readonly records: number;
  readonly more: boolean;
}

const CONNECT_MS_MAX = 5_000;
/** Prepared statements a connection keeps; beyond, statements are sent unnamed. */
const PREPARED_MAX = 500;
/** Texts remembered as seen once. */
const SEEN_MAX = 5_000;

// SQLSTATE classes that mean the database is out of reach or busy, not that we are wrong.
const UNAVAILABLE = new Set([
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53400',
  '55P03',
  '25006',
]);
const CONNECTION_CLASS = '08';

/**
 * The read side of PostgreSQL: one pool, statements prepared by name and planned once
 * (`force_generic_plan`: custom planning cost more than execution).
 */
export class Database {
  readonly pool: pg.Pool;
  readonly #names = new Set<string>();
  readonly #seen = new Set<string>();

  constructor(options: DatabaseOptions) {
    this.pool = new pg.Pool({
      connectionString: options.connectionString,
      max: options.connectionsMax,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      application_name: 'data-api',
      options: [
        `-c statement_timeout=${options.statementMsMax}`,
        '-c plan_cache_mode=force_generic_plan',
        '-c jit=off',
        '-c timezone=UTC',
        '-c search_path=venture,public',
        '-c default_transaction_read_only=on',
      ].join(' '),
    });
    this.pool.on('error', (error) => options.logger.warn({ error }, 'idle connection lost'));
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
    const name = statement.recurs ? this.#nameOf(statement.text) : undefined;
    try {
      const result = await this.pool.query<Row>({
        ...(name === undefined ? {} : { name }),
        text: statement.text,
        values: [...statement.values],
      });
      return result.rows;
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error;
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  // A text is named when it comes a second time, and for good: every connection prepares it once.
  #nameOf(text: string): string | undefined {
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    if (this.#names.has(name)) return name;
    if (!this.#seen.delete(name)) {
      if (this.#seen.size >= SEEN_MAX) this.#seen.clear();
      this.#seen.add(name);
      return undefined;
    }
    if (this.#names.size >= PREPARED_MAX) return undefined;
    this.#names.add(name);
    return name;
  }
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    UNAVAILABLE.has(code) ||
    code.startsWith(CONNECTION_CLASS) ||
    /^E[A-Z]+$/.test(code) ||
    /timeout exceeded when trying to connect|Connection terminated/.test(error.message)
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

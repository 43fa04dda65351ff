import type { Logger } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from './connection.ts';

const PROBE_MS_MAX = 1_000;
/** More than a loaded server takes to accept a connection. */
const CONNECT_MS_MAX = 2_000;

/** The state of a server. */
export interface ServerState {
  readonly isStandby: boolean;
  /** The end of the log that it has flushed, or replayed if it is a standby. */
  readonly lsn: bigint;
  /** Equal in a primary and its standbys. */
  readonly cluster: string;
  /** Identifies a running server. */
  readonly startedAt: string;
  /** Age of the last transaction that a standby replayed; null if there was none. */
  readonly replayAgeMs: number | null;
}

const STATE = `SELECT s.is_standby AS "isStandby",
    (CASE WHEN s.is_standby THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END
      - '0/0')::text AS lsn,
    (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
    extract(epoch FROM pg_postmaster_start_time())::text AS "startedAt",
    (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8
      AS "replayAgeMs"
  FROM pg_is_in_recovery() AS s(is_standby)`;

/** A connection to ask a server for its state. No request waits longer than two seconds. */
export class Probe {
  readonly #pool: pg.Pool;

  constructor(connectionString: string, logger: Logger) {
    this.#pool = new pg.Pool({
      ...connectionOptions({
        connectionString,
        name: 'data-api replication',
        settings: undefined,
        statementMsMax: PROBE_MS_MAX,
      }),
      connectionTimeoutMillis: CONNECT_MS_MAX,
      max: 1,
    });
    this.#pool.on('error', (error) => logger.debug({ error }, 'idle connection lost'));
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async state(): Promise<ServerState> {
    const { rows } = await this.#pool.query<Omit<ServerState, 'lsn'> & { lsn: string }>(STATE);
    const [row] = rows;
    if (row === undefined) throw new Error('The state of the server is missing.');
    return { ...row, lsn: BigInt(row.lsn) };
  }

  /** The rows of a statement. */
  async rows(text: string): Promise<readonly unknown[]> {
    return (await this.#pool.query(text)).rows;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

import type pg from 'pg';

const CONNECT_MS_MAX = 5_000;
/** The system asks a machine that says nothing whether it is there, once it has waited so long. */
const KEEP_ALIVE_MS = 5_000;
/** Past what the server allows itself: a connection that has not answered by then is lost. */
const ANSWER_MS_MORE = 1_000;

/** What a connection to PostgreSQL is for. */
export interface ConnectionPurpose {
  readonly connectionString: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Settings of the session. */
  readonly settings: Readonly<Record<string, string | number>>;
  /**
   * Milliseconds after which the server stops a statement; 0: never. A statement that is answered
   * neither then nor within a second more fails with `Query read timeout`, because the server only
   * keeps its word while it can be reached. Its connection is of no more use: end it.
   */
  readonly statementMsMax: number;
}

/** How every connection of the service is opened: none waits for ever for a server gone silent. */
export function connectionOptions(purpose: ConnectionPurpose): pg.ClientConfig {
  const { connectionString, name, settings, statementMsMax } = purpose;
  return {
    connectionString,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(statementMsMax > 0 ? { query_timeout: statementMsMax + ANSWER_MS_MORE } : {}),
    options: Object.entries({ ...settings, statement_timeout: statementMsMax })
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
  };
}

import { DIRECT_SESSION } from '@vcds/service-kit/direct-session';
import type pg from 'pg';

const CONNECT_MS_MAX = 5_000;
/** TCP keep-alive probes begin after this time without a packet. */
const KEEP_ALIVE_MS = 5_000;
/** Added to the statement timeout: without a response by then, the connection is lost. */
const RESPONSE_MARGIN_MS = 1_000;

/** The server, name and settings of a connection to PostgreSQL. */
export interface ConnectionPurpose {
  readonly connectionString: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Settings of the session; undefined through a pooler, which does not keep them. */
  readonly settings: Readonly<Record<string, string | number>> | undefined;
  /**
   * Milliseconds after which the server cancels a statement; 0: never. Without a response within
   * one more second, for example because the server is unreachable, the statement fails with
   * `Query read timeout`; then end its connection.
   */
  readonly statementMsMax: number;
}

/** The options of every connection of the service: none waits indefinitely for a silent server. */
export function connectionOptions(purpose: ConnectionPurpose): pg.ClientConfig {
  const { connectionString, name, settings, statementMsMax } = purpose;
  return {
    connectionString,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(statementMsMax > 0 ? { query_timeout: statementMsMax + RESPONSE_MARGIN_MS } : {}),
    ...(settings && { options: optionsOf({ ...settings, statement_timeout: statementMsMax }) }),
  };
}

function optionsOf(settings: Readonly<Record<string, string | number>>): string {
  const set = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return [DIRECT_SESSION, ...set].join(' ');
}

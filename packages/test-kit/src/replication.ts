/** PostgreSQL servers and poolers of a test's own: a primary, standbys, PgBouncer. */
import pg from 'pg';
import { callBroker } from './client.ts';
import { eventually } from './eventually.ts';
import type { PgBouncerSpec } from './postgres-servers/pgbouncer.ts';
import type { PostgresSettings } from './postgres-servers/postgres-servers.ts';
import { type TestRole, urlOfRole } from './roles.ts';

/** A server of a test's own, to be killed and restarted. */
export interface TestServer {
  /** Connection string of a superuser, to a database with the schemas of both services. */
  readonly url: string;
  readonly port: number;
  /** Connection string of a service's own role. */
  urlOf(role: TestRole): string;
  /** SIGKILL for all its processes; resolves when it is dead. */
  kill(): Promise<void>;
  /** Starts it on the same port with the same data; stops it first if it runs. */
  restart(): Promise<void>;
  drop(): Promise<void>;
}

/** A streaming standby, which reads may use. */
export interface TestStandby extends TestServer {
  /** Stops the replay; it still receives the log. Resolves when nothing is replayed any more. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Resolves when it has replayed everything that the primary had written at the call. */
  caughtUp(): Promise<void>;
}

/** Starts a PostgreSQL that standbys can follow. About two seconds. */
export async function startPrimary(settings: PostgresSettings = {}): Promise<TestServer> {
  return serverAt(await callBroker('startPrimary', settings));
}

/**
 * Starts a streaming standby of a server of this machine: it copies the data of the running server.
 *
 * @param primary of `startPrimary`, or another with `wal_level = replica`, by a superuser's URL.
 * @param settings such as `recovery_min_apply_delay: '60s'` or `max_standby_streaming_delay: '0'`.
 */
export async function startStandby(
  primary: Pick<TestServer, 'url'>,
  settings: PostgresSettings = {},
): Promise<TestStandby> {
  const url = await callBroker('startStandby', { primaryUrl: primary.url, settings });
  return {
    ...serverAt(url),
    pauseReplay: async () => {
      await query(url, 'SELECT pg_wal_replay_pause()');
      const state = `SELECT pg_get_wal_replay_pause_state() = 'paused' AS value`;
      await eventually(async () => (await query(url, state)) === true);
    },
    resumeReplay: async () => void (await query(url, 'SELECT pg_wal_replay_resume()')),
    caughtUp: async () => {
      const written = await query(primary.url, 'SELECT pg_current_wal_flush_lsn()::text AS value');
      const replayed = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS value';
      await eventually(async () => (await query(url, replayed, [written])) === true);
    },
  };
}

/**
 * Starts a PgBouncer in front of a server, in transaction mode unless the settings (of
 * `pgbouncer.ini`) name another. It keeps the names of databases and roles. Only where
 * `findPgBouncer()` finds one.
 */
export async function startPgBouncer(
  server: Pick<TestServer, 'url'>,
  settings: PgBouncerSpec['settings'] = {},
): Promise<TestServer> {
  return serverAt(await callBroker('startPgBouncer', { serverUrl: server.url, settings }));
}

function serverAt(url: string): TestServer {
  return {
    url,
    port: Number(new URL(url).port),
    urlOf: (role) => urlOfRole(url, role),
    kill: async () => void (await callBroker('killServer', url)),
    restart: async () => void (await callBroker('restartServer', url)),
    drop: async () => void (await callBroker('dropServer', url)),
  };
}

/** The column `value` of one row. */
async function query(url: string, text: string, values: unknown[] = []): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(text, values)).rows[0]?.value;
  } finally {
    await client.end();
  }
}

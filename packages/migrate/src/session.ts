import { DIRECT_SESSION, isDirectSession } from '@vcds/service-kit/direct-session';
import pg from 'pg';
import { connectionError, poolerError } from './errors.ts';

/** How long the server may take to accept the connection. */
const CONNECT_TIMEOUT_MS = 15_000;
/** How soon the server ends the statement of a process that is gone. */
const CLIENT_CHECK = '5s';
/** The lock `prisma migrate` takes, so that its runs and these exclude each other. */
const MIGRATION_LOCK = 72_707_369;
const LOCK_SECONDS_MAX = 300;

export interface SessionOptions {
  readonly connectionString: string;
  /** How long to wait for another process that migrates the same database. Default 300. */
  readonly lockTimeoutSeconds?: number;
}

/**
 * Runs `work` with a connection that holds the migration lock of its database, which ends with the
 * session, however this process ends.
 * @throws MigrationError the database is unavailable, is a pooler, or is locked for too long.
 */
export async function withSession<T>(
  options: SessionOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: options.connectionString,
    application_name: 'vcds-migrate',
    options: DIRECT_SESSION,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A lost connection fails the next statement; unheard it would end the process.
  client.on('error', () => undefined);
  try {
    await lock(client, options);
    return await work(client);
  } finally {
    await client.end();
  }
}

async function lock(client: pg.Client, options: SessionOptions): Promise<void> {
  const { connectionString, lockTimeoutSeconds = LOCK_SECONDS_MAX } = options;
  try {
    await client.connect();
    if (!(await isDirectSession(client))) throw poolerError(connectionString);
    await client.query(`SET client_connection_check_interval = '${CLIENT_CHECK}'`);
    await client.query(`SET lock_timeout = '${Math.max(1, Math.ceil(lockTimeoutSeconds))}s'`);
    await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await client.query('RESET lock_timeout');
  } catch (error) {
    throw connectionError(error, connectionString);
  }
}

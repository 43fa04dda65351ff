import { setTimeout } from 'node:timers/promises';
import {
  DIRECT_SESSION,
  isDirectSession,
  isRejectedByPooler,
} from '@vcds/service-kit/direct-session';
import pg from 'pg';
import { ImportError } from '../errors/import-error.ts';

/** The advisory lock that an import holds: one import runs at a time on a database. */
const IMPORT_LOCK = [0x76636473, 0x696d7074] as const;

const LOCK_RETRY_MS = 300;

/**
 * Days of UTC, plans of foreign keys and row triggers that serve several rows, memory for sorting, GIN
 * indexes that take new entries in batches of several chunks, and none of the timeouts that this version of
 * PostgreSQL has: the session with the lock is idle while others apply lines.
 */
const SETTINGS = `
  SET timezone = 'UTC'; SET plan_cache_mode = auto; SET jit = off;
  SET work_mem = '64MB'; SET gin_pending_list_limit = '32MB';
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout',
    'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`;

const POOLED =
  'The database is a connection pooler, but an import holds a lock in its session: set ' +
  'IMPORT_DATABASE_URL to PostgreSQL.';

/** Opens a session of an import. */
export async function openSession(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'vcds-import',
    options: DIRECT_SESSION,
    keepAlive: true,
  });
  // A lost connection also rejects the pending query, which throws the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!(await isDirectSession(client))) throw new ImportError('database', POOLED);
    await client.query(SETTINGS);
  } catch (error) {
    await client.end().catch(() => undefined);
    if (error instanceof ImportError) throw error;
    if (isRejectedByPooler(error)) throw new ImportError('database', POOLED);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportError('database', `Cannot connect to the database: ${reason}.`);
  }
  return client;
}

/**
 * Waits until no other import runs on the database, and locks it until the session ends.
 * @throws the signal's reason if it is aborted meanwhile.
 */
export async function lockImports(
  client: pg.Client,
  onWait: () => void,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_lock($1, $2) AS locked',
      [...IMPORT_LOCK],
    );
    if (rows[0]?.locked === true) return;
    signal?.throwIfAborted();
    onWait();
    await setTimeout(LOCK_RETRY_MS);
  }
}

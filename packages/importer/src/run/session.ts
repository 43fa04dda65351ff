import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { ImportError } from '../errors/import-error.ts';

/** Held for as long as an import runs: one at a time a database. */
const IMPORT_LOCK = [0x76636473, 0x696d7074] as const;

const RETRY_MS = 300;

/** How an import's sessions work: days of UTC, plans for each chunk as it is, room to sort. */
const SESSION_SETTINGS = `
  SET timezone = 'UTC'; SET plan_cache_mode = force_custom_plan; SET jit = off;
  SET work_mem = '64MB'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`;

/** Opens a session of an import. */
export async function openSession(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'vcds-import',
    keepAlive: true,
  });
  // A lost connection fails whatever is waiting for it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(SESSION_SETTINGS);
  } catch (error) {
    await client.end().catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportError('database', `The database cannot be reached: ${reason}.`);
  }
  return client;
}

/**
 * Waits until no other import runs on the database; the session's end gives the turn on.
 * @throws the signal's reason when it is aborted meanwhile.
 */
export async function takeTurn(
  client: pg.Client,
  onWait: () => void,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ free: boolean }>(
      'SELECT pg_try_advisory_lock($1, $2) AS free',
      [...IMPORT_LOCK],
    );
    if (rows[0]?.free === true) return;
    signal?.throwIfAborted();
    onWait();
    await setTimeout(RETRY_MS);
  }
}

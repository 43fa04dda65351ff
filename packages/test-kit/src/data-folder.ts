import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort, openGuardian, startPostgres } from '@vcds/local-stack';
import pg from 'pg';
import { migrateBoth } from './postgres.ts';
import { allowLogins } from './roles.ts';

/** Of the superuser `postgres`: the data of benches are generated and not secret. */
export const DATA_FOLDER_PASSWORD = 'vcds-bench';
const DATABASE = 'vcds';

/** Settings for a first load. Nothing is lost by a crash of a load that starts again from an empty folder. */
export const LOADING = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  shared_buffers: '1GB',
  max_wal_size: '2GB',
} as const;

/** A server on a folder of data that stays when it stops. */
export interface DataFolder {
  /** Connection string of the superuser. */
  readonly url: string;
  /** Whether the folder had no database before. */
  readonly isNew: boolean;
  /** The process id of the server. */
  readonly pid: number;
  readonly version: string;
  /** Stops the server; it has written all data. */
  close(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on a folder of data; a new one gets a database with the migrated
 * schemas. At the end of this process the server stops, whatever way it ends.
 *
 * @param settings of the server, beside those of a durable one.
 */
export async function openDataFolder(
  path: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<DataFolder> {
  const folder = resolve(path);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const guardian = openGuardian();
  const server = await startPostgres({
    folder,
    port: await freePort(),
    password: DATA_FOLDER_PASSWORD,
    purpose: 'durable',
    settings,
    logFile: join(folder, 'postgres.log'),
    guardian,
  });
  try {
    const isNew = await createDatabase(server.url);
    const url = new URL(server.url);
    url.pathname = DATABASE;
    if (isNew) await migrateBoth(url.href);
    const pool = new pg.Pool({ connectionString: server.url, max: 1 });
    await allowLogins(pool);
    await pool.end();
    const { pid, version, stop } = server;
    const close = async () => {
      await stop();
      await guardian.close();
    };
    return { url: url.href, isNew, pid, version, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function createDatabase(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [
      DATABASE,
    ]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    return rowCount === 0;
  } finally {
    await client.end();
  }
}

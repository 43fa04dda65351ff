/** The command `npm run snapshot`. */
import { ConfigError, readConfig } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from '../../postgres/connection.ts';
import { WORKER_DATABASE_VARIABLES, workerDatabaseUrl } from '../../postgres/worker-database.ts';
import { openSnapshotStore } from '../../replica/snapshot-store.ts';
import { SNAPSHOT_VARIABLES } from '../../replica/snapshot-variables.ts';
import { countsOf, writeSnapshot } from './write-snapshot.ts';

export interface SnapshotTerminal {
  readonly environment: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Makes a snapshot now. @returns the exit status: 0 success, 1 error. */
export async function runSnapshot({ environment, out, err, signal }: SnapshotTerminal) {
  try {
    const config = readConfig(
      { ...WORKER_DATABASE_VARIABLES, ...SNAPSHOT_VARIABLES },
      environment,
      [workerDatabaseUrl],
    );
    if (config.SNAPSHOT_URL === undefined) {
      err('Set SNAPSHOT_URL to file:///FOLDER or s3://BUCKET/PREFIX.');
      return 1;
    }
    const pool = new pg.Pool({
      max: 1,
      ...connectionOptions({
        connectionString: workerDatabaseUrl(config),
        name: 'data-worker snapshots',
        settings: { jit: 'off', timezone: 'UTC' },
        statementMsMax: 0,
      }),
    });
    pool.on('error', () => undefined);
    const store = await openSnapshotStore(config.SNAPSHOT_URL);
    try {
      const manifest = await writeSnapshot({ pool, store, signal });
      const { rows, files, bytes } = countsOf(manifest);
      out(`Snapshot ${manifest.id}: ${rows} records, ${files} files, ${bytes} bytes.`);
      return 0;
    } finally {
      store.close();
      await pool.end();
    }
  } catch (error) {
    if (error instanceof ConfigError) for (const line of error.errors) err(line);
    else err(`The command failed: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

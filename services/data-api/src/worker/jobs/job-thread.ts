/** A thread that runs one job: the program of `run-in-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from '../../postgres/connection.ts';
import type { DataWorkerConfig } from '../config.ts';
import { JOBS } from './jobs.ts';

const CONNECTIONS_MAX = 2;

export interface JobThreadData {
  readonly job: string;
  readonly config: DataWorkerConfig;
}

const { job, config }: JobThreadData = workerData;
const stop = new AbortController();
parentPort?.once('message', () => stop.abort());

const logger = createLogger({ service: 'data-worker', level: config.LOG_LEVEL }).child({ job });
const pool = new pg.Pool({
  max: CONNECTIONS_MAX,
  ...connectionOptions({
    connectionString: config.databaseUrl,
    name: `data-worker ${job}`,
    settings: { jit: 'off', timezone: 'UTC' },
    statementMsMax: 0,
  }),
});
// A lost connection fails the statement that waits for it.
pool.on('error', () => undefined);
try {
  const row = JOBS.find(({ name }) => name === job);
  if (row === undefined) throw new RangeError(`There is no job ${job}.`);
  parentPort?.postMessage(await row.run({ config, pool, logger, signal: stop.signal }));
} finally {
  await pool.end();
  parentPort?.close();
}

/** The process of one run: the program of `run-in-child.ts`. Its argument is the name of the job. */
import { createLogger } from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from '../../postgres/connection.ts';
import { readDataWorkerConfig } from '../config.ts';
import { JOBS } from './jobs.ts';
import type { ChildMessage } from './run-in-child.ts';

const CONNECTIONS_MAX = 2;

// The worker stops its run; a terminal or service manager signals both processes.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
const stop = new AbortController();
process.once('disconnect', () => stop.abort());

const [job] = process.argv.slice(2);
const config = readDataWorkerConfig(process.env);
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
const logger = createLogger({ service: 'data-worker', level: config.LOG_LEVEL }).child({ job });

async function run(): Promise<ChildMessage> {
  const row = JOBS.find(({ name }) => name === job);
  if (row === undefined) throw new RangeError(`There is no job ${job}.`);
  return { counts: await row.run({ config, pool, logger, signal: stop.signal }) };
}

const message = await run().catch((error: unknown): ChildMessage => ({ error }));
await pool.end();
if (process.connected) process.send?.(message, () => process.disconnect());

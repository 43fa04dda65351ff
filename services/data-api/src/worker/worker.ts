import {
  ConfigError,
  createLogger,
  createMetrics,
  type Logger,
  type Service,
  startInternalService,
  systemClock,
} from '@vcds/service-kit';
import pg from 'pg';
import { connectionOptions } from '../postgres/connection.ts';
import { leadsToPooler } from '../postgres/direct-connection.ts';
import { registerPoolMetrics } from '../postgres/pool-metrics.ts';
import { schemaCheck } from '../postgres/schema-check.ts';
import { programBeside } from '../threads/request-thread.ts';
import type { DataWorkerConfig } from './config.ts';
import { startJobConsumer } from './jobs/job-consumer.ts';
import type { JobThreadData } from './jobs/job-thread.ts';
import { JOBS } from './jobs/jobs.ts';
import { runInThread } from './jobs/run-in-thread.ts';
import { registerTransactionMetrics } from './transaction-metrics.ts';

const NAME = 'data-worker';
const STATEMENT_MS_MAX = 10_000;
const JOB_THREAD = programBeside(import.meta.url, 'jobs/job-thread');

/**
 * Starts the data worker: it runs the jobs of the table on their schedules. Any number may run.
 * `/ready` passes while the queue's Redis responds and the database has this build's schema.
 *
 * @throws ConfigError if the database is a connection pooler. ListenError if the port cannot be opened.
 */
export async function startDataWorker(
  config: DataWorkerConfig,
  options: { readonly logger?: Logger } = {},
): Promise<Service> {
  if (await leadsToPooler(config.databaseUrl)) {
    throw new ConfigError([
      'The database of the data worker is a connection pooler, but jobs hold locks in sessions: ' +
        'set DATA_WORKER_DATABASE_URL to PostgreSQL.',
    ]);
  }
  const logger = options.logger ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics(NAME);
  const pool = new pg.Pool({
    max: 1,
    ...connectionOptions({
      connectionString: config.databaseUrl,
      name: NAME,
      settings: { timezone: 'UTC' },
      statementMsMax: STATEMENT_MS_MAX,
    }),
  });
  // A lost connection fails the statement that waits for it.
  pool.on('error', () => undefined);
  registerPoolMetrics(metrics.registry, { primary: { jobs: pool } });
  registerTransactionMetrics(metrics.registry, pool);
  const consumer = startJobConsumer({
    config,
    jobs: JOBS,
    run: (job, signal) => {
      const workerData: JobThreadData = { job, config };
      return runInThread({ program: JOB_THREAD, workerData, signal });
    },
    pool,
    registry: metrics.registry,
    logger,
    clock: systemClock,
  });
  return startInternalService({
    name: NAME,
    logger,
    metrics,
    checks: {
      database: () => schemaCheck(async (text) => (await pool.query(text)).rows),
      queue: consumer.assertConnected,
    },
    host: config.DATA_WORKER_INTERNAL_HOST,
    port: config.DATA_WORKER_INTERNAL_PORT,
    variable: 'DATA_WORKER_INTERNAL_PORT',
    resources: [
      { name: 'jobs', close: consumer.close, closeMsMax: consumer.closeMsMax },
      { name: 'database', close: () => pool.end() },
    ],
  });
}

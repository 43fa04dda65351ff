import {
  ConfigError,
  closeRedis,
  createLogger,
  createMetrics,
  createRedis,
  type Logger,
  type Service,
  startInternalService,
} from '@vcds/service-kit';
import pg from 'pg';
import type { Registry } from 'prom-client';
import { clickHousePlace } from '../facet-tables/clickhouse-variables.ts';
import { connectionOptions } from '../postgres/connection.ts';
import { leadsToPooler } from '../postgres/direct-connection.ts';
import { registerPoolMetrics } from '../postgres/pool-metrics.ts';
import { schemaCheck } from '../postgres/schema-check.ts';
import { programBeside } from '../threads/request-thread.ts';
import type { DataWorkerConfig } from './config.ts';
import { FacetIndexer } from './index-facets/facet-indexer.ts';
import { createIndexerMetrics } from './index-facets/metrics.ts';
import { JOBS } from './jobs/jobs.ts';
import { runInChild } from './jobs/run-in-child.ts';
import { startJobs } from './jobs/run-jobs.ts';
import { recordQueuedObservations } from './observations/record-queued.ts';
import { createPublisherMetrics } from './publish-signals/metrics.ts';
import { SignalPublisher } from './publish-signals/publisher.ts';
import { registerTransactionMetrics } from './transaction-metrics.ts';

const NAME = 'data-worker';
/** For probes and metrics, and for observations. */
const CONNECTIONS_MAX = 2;
const STATEMENT_MS_MAX = 10_000;
const JOB_PROCESS = programBeside(import.meta.url, 'jobs/job-process');

/**
 * Starts the data worker: it publishes signals, updates the facet index, records observations, and runs
 * the jobs of the table on their schedules. Any number may run: one of them does each.
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
      'The database of the data worker is a connection pooler, but it holds locks in sessions: ' +
        'set DATA_WORKER_DATABASE_URL to PostgreSQL.',
    ]);
  }
  const logger = options.logger ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics(NAME);
  const pool = new pg.Pool({
    max: CONNECTIONS_MAX,
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
  const jobs = startJobs({
    config,
    jobs: JOBS,
    run: (job, signal) => runInChild({ program: JOB_PROCESS, job, signal }),
    registry: metrics.registry,
    logger,
  });
  const loops = await startLoops({ config, pool, registry: metrics.registry, logger });
  return startInternalService({
    name: NAME,
    logger,
    metrics,
    checks: {
      database: () => schemaCheck(async (text) => (await pool.query(text)).rows),
      queue: jobs.assertConnected,
    },
    host: config.DATA_WORKER_INTERNAL_HOST,
    port: config.DATA_WORKER_INTERNAL_PORT,
    variable: 'DATA_WORKER_INTERNAL_PORT',
    resources: [
      { name: 'jobs', close: jobs.close, closeMsMax: jobs.closeMsMax },
      { name: 'loops', close: loops.close },
      { name: 'database', close: () => pool.end() },
    ],
  });
}

interface LoopOptions {
  readonly config: DataWorkerConfig;
  readonly pool: pg.Pool;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Starts the loops that run all the time, also while the queue of jobs is unavailable. */
async function startLoops({ config, pool, registry, logger }: LoopOptions) {
  const connectionString = config.databaseUrl;
  const publisher = new SignalPublisher({
    connectionString,
    logger,
    metrics: createPublisherMetrics(registry, pool),
  });
  const indexer = new FacetIndexer({
    connectionString,
    logger,
    ...createIndexerMetrics(registry, pool),
  });
  indexer.start();
  const place = clickHousePlace(config);
  // Its client takes memory in the processes without it.
  const startCopier = place && (await import('./copy-facets/facet-copier.ts')).startFacetCopier;
  const copiers = startCopier ? [startCopier({ connectionString, place, logger, registry })] : [];
  const redis = createRedis({ url: config.REDIS_URL, name: NAME, logger, registry });
  const observations = recordQueuedObservations({ redis, writer: pool, logger });
  return {
    /** Each ends after its batch. */
    close: async (): Promise<void> => {
      const loops = [publisher, indexer, observations, ...copiers];
      await Promise.all(loops.map((loop) => loop.close()));
      await closeRedis(redis);
    },
  };
}

import { createLedgerSyncer } from '@vcds/metering';
import { createRedisLedger } from '@vcds/metering/redis';
import {
  closeRedis,
  createLogger,
  createMetrics,
  createRedis,
  type Logger,
  type Service,
  startInternalService,
  systemClock,
} from '@vcds/service-kit';
import { schemaCheck } from './accounts/schema-check.ts';
import type { WorkerConfig } from './config.ts';
import { runPartitionLoop } from './credits/charge-partitions.ts';
import { runLedgerLoop } from './credits/ledger-loop.ts';
import { createLedgerMetrics } from './credits/ledger-metrics.ts';
import { createLedgerTable, openLedgerPool } from './credits/ledger-table.ts';
import { openMailTransport } from './mail/settings.ts';
import { startMailConsumer } from './mail/worker.ts';
import { createMailSource, createUnsentMails } from './registration/mail-source.ts';
import { createRegistrationSecrets } from './registration/secrets.ts';

const NAME = 'worker';
/** The worker finishes a running pass; stopping takes less than 25 s in total. */
const LOOP_MS_MAX = 12_000;

/**
 * Starts the worker: it sends the messages of registrations, drains the credit ledger into
 * PostgreSQL and keeps its buckets open. Any number of workers may run. `/ready` passes while the
 * stores respond and every bucket was drained recently. `/live` fails if the mail queue works but
 * is not consumed.
 *
 * @throws ListenError if the port cannot be opened.
 */
export async function startWorker(
  config: WorkerConfig,
  options: { readonly logger?: Logger } = {},
): Promise<Service> {
  const logger = options.logger ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics(NAME);
  const redis = createRedis({
    url: config.REDIS_URL,
    name: NAME,
    logger,
    registry: metrics.registry,
  });
  const pool = openLedgerPool(config.databaseUrl, logger);
  const ports = { stream: createRedisLedger({ redis }).stream, store: createLedgerTable(pool) };
  const ledgerMetrics = createLedgerMetrics(ports, metrics.registry, systemClock);
  const loop = runLedgerLoop({
    syncer: createLedgerSyncer(ledgerMetrics.stream, ledgerMetrics.store),
    redis,
    logger,
    clock: systemClock,
    onPass: ledgerMetrics.recordPass,
  });
  const retentionMonths = config.CHARGE_RETENTION_MONTHS;
  const partitions = runPartitionLoop({
    pool,
    registry: metrics.registry,
    logger,
    retentionMonths,
  });
  const mail = startMailConsumer({
    url: config.QUEUE_REDIS_URL ?? config.REDIS_URL,
    source: createMailSource(redis, createRegistrationSecrets(config.CODE_SECRET)),
    unsent: createUnsentMails(redis, systemClock),
    transport: await openMailTransport(config, systemClock),
    registry: metrics.registry,
    logger,
    clock: systemClock,
  });
  return startInternalService({
    name: NAME,
    logger,
    metrics,
    checks: {
      redis: () => redis.ping(),
      database: () => schemaCheck(async (text) => (await pool.query(text)).rows),
      ledger: loop.assertCurrent,
      queue: mail.assertConnected,
    },
    liveness: mail.assertConsuming,
    host: config.WORKER_INTERNAL_HOST,
    port: config.WORKER_INTERNAL_PORT,
    variable: 'WORKER_INTERNAL_PORT',
    resources: [
      { name: 'mail', close: mail.close, closeMsMax: mail.closeMsMax },
      { name: 'ledger', close: () => loop.stop(), closeMsMax: LOOP_MS_MAX },
      { name: 'partitions', close: () => partitions.stop(), closeMsMax: LOOP_MS_MAX },
      { name: 'redis', close: () => closeRedis(redis) },
      { name: 'database', close: () => pool.end() },
    ],
  });
}

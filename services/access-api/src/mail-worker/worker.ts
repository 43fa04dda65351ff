import { createLedgerKeeper, createRedisLedger } from '@vcds/metering';
import {
  closeRedis,
  createHttpServer,
  createInternalApp,
  createLogger,
  createMetrics,
  createRedis,
  type Logger,
  type Service,
  startService,
  systemClock,
} from '@vcds/service-kit';
import { runLedgerLoop } from '../usage/ledger-loop.ts';
import { measureLedger } from '../usage/ledger-measures.ts';
import { openLedgerPool } from '../usage/ledger-pool.ts';
import { createLedgerTable } from '../usage/ledger-table.ts';
import type { MailWorkerConfig } from './config.ts';

const NAME = 'mail-worker';

export interface MailWorkerOptions {
  readonly logger?: Logger;
}

/**
 * Starts the worker: it keeps the credit ledger drained into PostgreSQL and its buckets open. Any
 * number may run side by side. `/ready` passes once every bucket was looked after, and while that
 * goes on and both stores answer.
 *
 * @throws ListenError when the port cannot be had.
 */
export async function startMailWorker(
  config: MailWorkerConfig,
  options: MailWorkerOptions = {},
): Promise<Service> {
  const logger = options.logger ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics(NAME);
  const redis = createRedis({ url: config.REDIS_URL, name: NAME, logger });
  const pool = openLedgerPool(config.databaseUrl, logger);
  const ports = { stream: createRedisLedger({ redis }).stream, store: createLedgerTable(pool) };
  const measures = measureLedger(ports, metrics.registry, systemClock);
  const loop = runLedgerLoop({
    keeper: createLedgerKeeper(measures.stream, measures.store),
    redis,
    logger,
    clock: systemClock,
    onPass: measures.recordPass,
  });
  let service: Service | undefined;
  const internalApp = createInternalApp({
    logger,
    metrics,
    checks: {
      redis: () => redis.ping(),
      database: () => pool.query('SELECT 1'),
      ledger: loop.assertCurrent,
    },
    isStopping: () => service?.isStopping() ?? false,
  });
  service = await startService({
    name: NAME,
    logger,
    listeners: [
      {
        name: 'internal',
        role: 'internal',
        server: createHttpServer(internalApp),
        host: config.MAIL_WORKER_INTERNAL_HOST,
        port: config.MAIL_WORKER_INTERNAL_PORT,
        variable: 'MAIL_WORKER_INTERNAL_PORT',
      },
    ],
    resources: [
      { name: 'ledger', close: () => loop.stop() },
      { name: 'redis', close: () => closeRedis(redis) },
      { name: 'database', close: () => pool.end() },
    ],
  });
  return service;
}

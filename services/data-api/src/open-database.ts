import type { Logger } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import { type DataApiConfig, replicaUrlsOf } from './config.ts';
import { Database } from './postgres/database.ts';
import { registerPoolMetrics } from './postgres/pool-metrics.ts';
import { createReplicaMetrics } from './postgres/replica-metrics.ts';
import { schemaCheck } from './postgres/schema-check.ts';

interface OpenDatabaseOptions {
  /** Connections for statements that may scan a whole table. */
  readonly scanConnectionsMax: number;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Opens the databases for reads, with their metrics; they connect on first use. */
export function openDatabase(
  config: DataApiConfig,
  { scanConnectionsMax, registry, logger }: OpenDatabaseOptions,
): Database {
  const { repeated } = createReplicaMetrics(registry, () => database.replicas);
  const database: Database = new Database({
    connectionString: config.DATABASE_URL,
    connectionsMax: config.DATABASE_CONNECTIONS,
    statementMsMax: config.STATEMENT_TIMEOUT_MS,
    scanMsMax: config.SCAN_TIMEOUT_MS,
    scanConnectionsMax,
    pooler: config.DATABASE_POOLER,
    logger,
    replicas: {
      urls: replicaUrlsOf(config),
      lagMsMax: config.REPLICA_MAX_LAG_MS,
      assertSchema: schemaCheck,
    },
    onRepeat: repeated,
  });
  registerPoolMetrics(registry, database.pools);
  return database;
}

/**
 * Passes while a server has the schema of this build: the primary, or a replica in use, which had it
 * when it was admitted.
 */
export async function assertServes(database: Database): Promise<void> {
  try {
    await schemaCheck(async (text) => (await database.pool.query(text)).rows);
  } catch (error) {
    if (!database.replicas.some(({ isUsed }) => isUsed)) throw error;
  }
}

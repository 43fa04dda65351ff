import {
  createLedgerSyncer,
  type LedgerPass,
  type LedgerStore,
  type LedgerStream,
} from '@vcds/metering';
import { createRedisLedger } from '@vcds/metering/redis';
import {
  type Clock,
  closeRedis,
  createLogger,
  createRedis,
  emptyRedis,
  redisReady,
  systemClock,
} from '@vcds/service-kit';
import { createAccounts } from '../accounts/account.ts';
import { rebuild } from '../accounts/reconcile.ts';
import { openStores } from '../accounts/stores.ts';
import { createLedgerTable, openLedgerPool } from '../credits/ledger-table.ts';
import { createUsageHistory } from '../credits/usage-history.ts';
import { createLogins } from '../legacy/logins.ts';
import type { AdminConfig } from './admin-config.ts';

const REDIS_MS_MAX = 5_000;

/** The stores and services that the operator's commands use. */
export type Administration = Awaited<ReturnType<typeof openAdministration>>;

/** Opens journal and Redis for one command. @throws Error when Redis is not reachable. */
export async function openAdministration(config: AdminConfig, clock: Clock = systemClock) {
  const logger = createLogger({ service: 'admin', level: 'silent' });
  const redis = createRedis({ url: config.REDIS_URL, name: 'admin', logger });
  const stores = openStores(config.databaseUrl, redis, clock);
  const close = async (): Promise<void> => {
    await closeRedis(redis);
    await stores.database.$disconnect();
  };
  try {
    await redisReady(redis, REDIS_MS_MAX);
  } catch (error) {
    await close();
    throw error;
  }
  const { ledger, stream } = createRedisLedger({ redis });
  const drain = async (): Promise<LedgerPass> => {
    const pool = openLedgerPool(config.databaseUrl, logger);
    try {
      return await syncOnce(stream, createLedgerTable(pool));
    } finally {
      await pool.end();
    }
  };
  return {
    ...stores,
    ledger,
    accounts: createAccounts(stores),
    charges: createUsageHistory(stores.database),
    logins: createLogins(stores),
    /** Restores Redis from journal and ledger; `healed_buckets` were behind the ledger. */
    rebuild: async (onProgress: (bucketsDone: number) => void) => {
      const rebuilt = await rebuild(redis, stores, onProgress);
      const { healed } = await drain();
      return { ...rebuilt, healed_buckets: healed.length };
    },
    /** Moves all charges from Redis to PostgreSQL. */
    drain,
    emptyRedis: () => emptyRedis(redis),
    close,
  };
}

/** One pass over the buckets. @throws Error if a bucket fails. */
async function syncOnce(stream: LedgerStream, store: LedgerStore): Promise<LedgerPass> {
  const pass = await createLedgerSyncer(stream, store).pass();
  const [first] = pass.failed;
  if (first === undefined) return pass;
  throw new Error(`${pass.failed.length} buckets of credits could not be restored.`, {
    cause: first.error,
  });
}

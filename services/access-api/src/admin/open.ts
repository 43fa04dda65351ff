import {
  type Clock,
  closeRedis,
  createLogger,
  createRedis,
  redisReady,
  systemClock,
} from '@vcds/service-kit';
import { type Accounts, createAccounts } from '../accounts/accounts.ts';
import type { AdminConfig } from '../config.ts';
import { openDatabase } from '../journal/database.ts';
import { createHistory, type History } from '../journal/history.ts';
import { createJournal } from '../journal/journal.ts';
import { createKeyStore } from '../store/key-store.ts';
import { type Rebuilt, rebuild } from '../store/rebuild.ts';

const REDIS_MS_MAX = 5_000;

/** What the operator's commands work with. */
export interface Administration {
  readonly accounts: Accounts;
  readonly history: History;
  rebuild(onProgress: (bucketsDone: number) => void): Promise<Rebuilt>;
  close(): Promise<void>;
}

/** Opens journal and Redis for one command. @throws Error when Redis is not reachable. */
export async function openAdministration(
  config: AdminConfig,
  clock: Clock = systemClock,
): Promise<Administration> {
  const logger = createLogger({ service: 'admin', level: 'silent' });
  const redis = createRedis({ url: config.REDIS_URL, name: 'admin', logger });
  const database = openDatabase(config.databaseUrl);
  const close = async (): Promise<void> => {
    await closeRedis(redis);
    await database.$disconnect();
  };
  try {
    await redisReady(redis, REDIS_MS_MAX);
  } catch (error) {
    await close();
    throw error;
  }
  const history = createHistory(database);
  const store = createKeyStore(redis, clock);
  const accounts = createAccounts({
    journal: createJournal(database, clock),
    history,
    store,
    clock,
  });
  return {
    accounts,
    history,
    rebuild: (onProgress) => rebuild(redis, history, clock, onProgress),
    close,
  };
}

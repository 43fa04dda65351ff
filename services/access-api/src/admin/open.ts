import { createLedgerSyncer, type LedgerStore, type LedgerStream } from '@vcds/metering';
import { createRedisLedger } from '@vcds/metering/redis';
import {
  type Clock,
  closeRedis,
  createLogger,
  createRedis,
  redisReady,
  systemClock,
} from '@vcds/service-kit';
import { type Accounts, createAccounts } from '../accounts/accounts.ts';
import { createSessionStore } from '../accounts/session-store.ts';
import { openLedgerPool } from '../credits/ledger-pool.ts';
import { createLedgerTable } from '../credits/ledger-table.ts';
import { createPurchases, type Purchases } from '../credits/purchases.ts';
import {
  type AccountCharge,
  type ChargeRecord,
  createUsageHistory,
} from '../credits/usage-history.ts';
import { createLogins, type Logins } from '../legacy/logins.ts';
import { openDatabase } from '../store/database.ts';
import { type AccountRecord, createHistory, type History } from '../store/history.ts';
import { createJournal } from '../store/journal.ts';
import { createKeyStore } from '../store/key-store.ts';
import { type Rebuilt, rebuild } from '../store/rebuild.ts';
import { reportAccount } from './account-report.ts';
import type { AdminConfig } from './admin-config.ts';
import { revokeAccount } from './revoke-account.ts';

const REDIS_MS_MAX = 5_000;

/** The stores and services that the operator's commands use. */
export interface Administration {
  readonly accounts: Accounts;
  readonly history: History;
  readonly logins: Logins;
  readonly purchases: Purchases;
  /** All that an operator may see of an account. */
  report(account: AccountRecord): Promise<object>;
  /** Charges with a request id, newest first, at most 50. */
  chargesOf(requestId: string): Promise<readonly AccountCharge[]>;
  /** The latest charges of an account, newest first, at most `limit`. */
  latestCharges(accountId: string, limit: number): Promise<readonly ChargeRecord[]>;
  /** Revokes all keys of an account and ends its sessions; resolves with the number of keys. */
  revokeAccount(accountId: string): Promise<number>;
  /** Restores Redis from journal and ledger. */
  rebuild(onProgress: (bucketsDone: number) => void): Promise<RebuiltAll>;
  close(): Promise<void>;
}

/** Restored accounts and keys, and the number of credit buckets that were behind the ledger. */
export interface RebuiltAll extends Rebuilt {
  readonly healed_buckets: number;
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
  const context = { database, history, store, clock };
  const { ledger, stream } = createRedisLedger({ redis });
  const usage = createUsageHistory(database);
  return {
    accounts,
    history,
    logins: createLogins(context),
    purchases: createPurchases(context),
    report: (account) => reportAccount({ database, ledger, usage, clock }, account),
    chargesOf: (requestId) => usage.ofRequest(requestId),
    latestCharges: (accountId, limit) => usage.charges(accountId, { limit }),
    revokeAccount: (accountId) =>
      revokeAccount({ ...context, sessions: createSessionStore(redis, clock) }, accountId),
    rebuild: async (onProgress) => {
      const rebuilt = await rebuild(redis, history, clock, onProgress);
      const pool = openLedgerPool(config.databaseUrl, logger);
      try {
        return { ...rebuilt, healed_buckets: await heal(stream, createLedgerTable(pool)) };
      } finally {
        await pool.end();
      }
    },
    close,
  };
}

async function heal(stream: LedgerStream, store: LedgerStore): Promise<number> {
  const { healed, failed } = await createLedgerSyncer(stream, store).pass();
  const [first] = failed;
  if (first === undefined) return healed.length;
  throw new Error(`${failed.length} buckets of credits could not be restored.`, {
    cause: first.error,
  });
}

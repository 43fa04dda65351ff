import { createLogger, createRedis, type RedisClient, redisReady } from '@vcds/service-kit';
import { createTestDatabase, createTestRedis, type TestClock, testClock } from '@vcds/test-kit';
import pg from 'pg';
import { type Accounts, createAccounts } from '../src/accounts/accounts.ts';
import { createSessionStore, type SessionStore } from '../src/accounts/session-store.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { createHistory, type History } from '../src/store/history.ts';
import { createJournal, type Journal } from '../src/store/journal.ts';
import { createKeeper, type Keeper } from '../src/store/keeper.ts';
import { createKeyStore, type KeyStore } from '../src/store/key-store.ts';

/** Accounts and keys on a real PostgreSQL and a real Redis, with a clock that stands still. */
export interface Access {
  /** Of the service's own role. */
  readonly databaseUrl: string;
  /** A super-user's connections, for what a test does to the database from outside. */
  readonly owner: pg.Pool;
  readonly redisUrl: string;
  readonly redis: RedisClient;
  readonly database: Database;
  readonly journal: Journal;
  readonly history: History;
  readonly store: KeyStore;
  readonly sessions: SessionStore;
  readonly accounts: Accounts;
  readonly keeper: Keeper;
  readonly clock: TestClock;
  /** Everything logged so far. */
  readonly log: () => string;
  /** A keeper as another process would have it, knowing nothing yet. */
  readonly newKeeper: () => Keeper;
  close(): Promise<void>;
}

/** A machine that is busy for seconds keeps an answer waiting for as long: no fault of a store. */
export const PATIENCE = { commandTimeoutMs: 30_000 } as const;

/** On a Redis of its own, or the one given. */
export async function openAccess(redisUrl?: string): Promise<Access> {
  const testDatabase = await createTestDatabase();
  const testRedis = redisUrl === undefined ? await createTestRedis() : undefined;
  const url = redisUrl ?? testRedis?.url ?? '';
  const lines: string[] = [];
  const logger = createLogger({
    service: 'test',
    sink: { write: (line) => void lines.push(line) },
  });
  const clock = testClock();
  const redis = createRedis({ url, name: 'test', logger, ...PATIENCE });
  await redisReady(redis);
  const database = openDatabase(testDatabase.urlOf('vcds_access_api'));
  const owner = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
  owner.on('error', () => undefined);
  const journal = createJournal(database, clock);
  const history = createHistory(database);
  const store = createKeyStore(redis, clock);
  const newKeeper = (): Keeper => createKeeper({ history, store, logger });
  return {
    databaseUrl: testDatabase.urlOf('vcds_access_api'),
    owner,
    redisUrl: url,
    redis,
    database,
    journal,
    history,
    store,
    sessions: createSessionStore(redis, clock),
    accounts: createAccounts({ journal, history, store, clock }),
    keeper: newKeeper(),
    clock,
    log: () => lines.join(''),
    newKeeper,
    close: async () => {
      redis.disconnect();
      await database.$disconnect();
      await owner.end();
      await testRedis?.drop();
      await testDatabase.drop();
    },
  };
}

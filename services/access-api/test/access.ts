import { createLogger, redisReady } from '@vcds/service-kit';
import { createTestDatabase, createTestRedis, type TestClock, testClock } from '@vcds/test-kit';
import pg from 'pg';
import { readAccessConfig } from '../src/config.ts';
import { type AccessDeps, openDeps } from '../src/deps.ts';
import { SCRYPT } from '../src/legacy/password.ts';
import { createRedisGuard, type RedisGuard } from '../src/store/redis-guard.ts';

/** access-api on a real PostgreSQL and a real Redis, with a clock that stands still. */
export interface Access extends AccessDeps {
  readonly clock: TestClock;
  /** The URL for the role of the service. */
  readonly databaseUrl: string;
  /** Connections of a superuser, for changes from outside of the service. */
  readonly owner: pg.Pool;
  readonly redisUrl: string;
  /** Ids of registrations whose message was queued. */
  readonly queued: string[];
  /** Everything logged so far. */
  readonly log: () => string;
  /** A guard in its initial state, like that of another process. */
  readonly newGuard: () => RedisGuard;
  close(): Promise<void>;
}

export interface AccessOptions {
  /** Default: a Redis that is dropped at the end. */
  readonly redisUrl?: string | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

export const CODE_SECRET = 'a-code-secret-of-enough-characters';
export const SERVICE_SECRET = 'a-service-secret-of-enough-characters';

/** A password takes 3 ms, where the service takes a tenth of a second. */
export const CHEAP_SCRYPT = { ...SCRYPT, costLog2: 10 };

/** A busy machine may delay a response for seconds, which is no outage of a store. */
export const COMMAND_LIMIT = { commandTimeoutMs: 30_000 } as const;

export async function openAccess({ redisUrl, environment }: AccessOptions = {}): Promise<Access> {
  const testDatabase = await createTestDatabase();
  const testRedis = redisUrl === undefined ? await createTestRedis() : undefined;
  const url = redisUrl ?? testRedis?.url ?? '';
  const databaseUrl = testDatabase.urlOf('vcds_access_api');
  const lines: string[] = [];
  const queued: string[] = [];
  const config = readAccessConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: url,
    CODE_SECRET,
    SERVICE_TOKEN_SECRET: SERVICE_SECRET,
    MX_CHECK: 'off',
    ...environment,
  });
  const clock = testClock();
  const deps = await openDeps(config, {
    logger: createLogger({
      service: 'access-api',
      level: 'debug',
      sink: { write: (line) => void lines.push(line) },
    }),
    clock,
    queue: { enqueue: async (id) => void queued.push(id), close: async () => undefined },
    passwordCost: CHEAP_SCRYPT,
    ...COMMAND_LIMIT,
  });
  const { redis, database, history, store, logger } = deps;
  await redisReady(redis);
  const owner = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
  owner.on('error', () => undefined);
  return {
    ...deps,
    clock,
    databaseUrl,
    owner,
    redisUrl: url,
    queued,
    log: () => lines.join(''),
    newGuard: () => createRedisGuard({ history, store, logger }),
    close: async () => {
      redis.disconnect();
      await database.$disconnect();
      await owner.end();
      await testRedis?.drop();
      await testDatabase.drop();
    },
  };
}

import { afterAll } from '@jest/globals';
import { createLogger, type Logger, redisReady, type Service } from '@vcds/service-kit';
import { createTestDatabase, createTestRedis, testClock } from '@vcds/test-kit';
import pg from 'pg';
import { createAccounts } from '../src/accounts/account.ts';
import type { Journal } from '../src/accounts/journal.ts';
import { createRedisGuard } from '../src/accounts/redis-guard.ts';
import { readAccessConfig } from '../src/config.ts';
import { openDeps } from '../src/deps.ts';
import { SCRYPT } from '../src/legacy/password.ts';
import { startAccessApi } from '../src/start.ts';

export type Access = Awaited<ReturnType<typeof openAccess>>;

export interface AccessOptions {
  /** Default: a Redis that is dropped at the end. */
  readonly redisUrl?: string | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Default: a documentation that is not built. */
  readonly portalFolder?: URL;
}

export const CODE_SECRET = 'a-code-secret-of-enough-characters';
export const SERVICE_SECRET = 'a-service-secret-of-enough-characters';

/** A password takes 3 ms, where the service takes a tenth of a second. */
export const CHEAP_SCRYPT = { ...SCRYPT, costLog2: 10 };

/** A busy machine may delay a response for seconds, which is no outage of a store. */
export const COMMAND_LIMIT = { commandTimeoutMs: 30_000 } as const;

const NOT_BUILT = new URL('./not-built/', import.meta.url);

/** The variables of access-api on these stores, with ports that are free. */
export function settingsOf(
  { databaseUrl, redisUrl }: { readonly databaseUrl: string; readonly redisUrl: string },
  differs: NodeJS.ProcessEnv = {},
): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    CODE_SECRET,
    SERVICE_TOKEN_SECRET: SERVICE_SECRET,
    MX_CHECK: 'off',
    ACCESS_API_PORT: '0',
    ACCESS_API_INTERNAL_PORT: '0',
    DRAIN_MS: '0',
    FREE_WORK_PERCENT: '100',
    ...differs,
  };
}

/** A logger that appends its lines to a list. */
export function loggerTo(lines: string[]): Logger {
  const sink = { write: (line: string) => void lines.push(line) };
  return createLogger({ service: 'test', level: 'debug', sink });
}

/** Everything that this test file opened, the oldest first. */
const opened: { close(): Promise<unknown> }[] = [];
afterAll(async () => {
  for (const { close } of opened.reverse()) await close();
});

/** Starts the service on the stores of an access-api until the end of the test file. */
export async function startOn(
  access: Access,
  differs: NodeJS.ProcessEnv,
  lines: string[] = [],
): Promise<Service> {
  const config = readAccessConfig(settingsOf(access, differs));
  const service = await startAccessApi(config, { logger: loggerTo(lines) });
  opened.push({ close: service.stop });
  return service;
}

/**
 * access-api on a real PostgreSQL and a real Redis, with a clock that stands still, until the end of
 * the test file.
 */
export async function openAccess({ redisUrl, environment, portalFolder }: AccessOptions = {}) {
  const testDatabase = await createTestDatabase();
  const testRedis = redisUrl === undefined ? await createTestRedis() : undefined;
  const url = redisUrl ?? testRedis?.url ?? '';
  const databaseUrl = testDatabase.urlOf('vcds_access_api');
  const lines: string[] = [];
  const queued: string[] = [];
  const config = readAccessConfig(settingsOf({ databaseUrl, redisUrl: url }, environment));
  const clock = testClock();
  const deps = await openDeps(config, {
    logger: loggerTo(lines),
    clock,
    queue: { enqueue: async (id) => void queued.push(id), close: async () => undefined },
    passwordCost: CHEAP_SCRYPT,
    portalFolder: portalFolder ?? NOT_BUILT,
    ...COMMAND_LIMIT,
  });
  const { redis, database, journal, logger } = deps;
  const change: Journal['change'] = async (...args) => (await journal.commit(...args)).result;
  await redisReady(redis);
  const owner = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
  owner.on('error', () => undefined);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    redis.disconnect();
    await database.$disconnect();
    await owner.end();
    await testRedis?.drop();
    await testDatabase.drop();
  };
  const access = {
    ...deps,
    clock,
    databaseUrl,
    /** Connections of a superuser, for changes from outside of the service. */
    owner,
    redisUrl: url,
    /** Ids of registrations whose message was queued. */
    queued,
    /** Everything logged so far. */
    log: () => lines.join(''),
    /** Changes of a process that ends after the journal, before Redis. */
    dying: createAccounts({ ...deps, journal: { ...journal, change } }),
    /** A guard in its initial state, like that of another process. */
    newGuard: () => createRedisGuard({ ...deps, logger }),
    /** Closes it before the end of the test file. Idempotent. */
    close: (): Promise<void> => {
      closing ??= close();
      return closing;
    },
  };
  opened.push(access);
  return access;
}

import { portsOfOneRun } from './ports.ts';
import {
  type ConnectionsOfDatabase,
  type DatabaseContents,
  openPostgres,
  type TestPostgres,
} from './postgres.ts';
import type { PgBouncerSpec } from './postgres-servers/pgbouncer.ts';
import {
  type PostgresSettings,
  postgresServers,
  type StandbySpec,
} from './postgres-servers/postgres-servers.ts';
import { openRedis, type RedisServerOptions, type TestRedis } from './redis.ts';
import { beginRun } from './run.ts';

/** The servers of a test run or a bench. A server starts on its first use. */
export interface TestServers {
  createDatabase(contents: DatabaseContents): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  endConnections(of: ConnectionsOfDatabase): Promise<number>;
  claimRedis(): Promise<string>;
  releaseRedis(url: string): Promise<void>;
  startRedisServer(options: RedisServerOptions): Promise<string>;
  killRedisServer(url: string): Promise<void>;
  restartRedisServer(url: string): Promise<void>;
  dropRedisServer(url: string): Promise<void>;
  startPrimary(settings: PostgresSettings): Promise<string>;
  startStandby(spec: StandbySpec): Promise<string>;
  startPgBouncer(spec: PgBouncerSpec): Promise<string>;
  /** Of a primary, a standby or a PgBouncer of this run. */
  killServer(url: string): Promise<void>;
  restartServer(url: string): Promise<void>;
  dropServer(url: string): Promise<void>;
  /** A port of 127.0.0.1 that nothing listens on, and that no other test of this run gets. */
  freePort(): Promise<number>;
  /** Stops and removes everything. */
  close(): Promise<void>;
}

/**
 * PostgreSQL and Redis for tests and benches, for as long as this process lives: whatever way
 * it ends, nothing stays behind. Uses `TEST_DATABASE_URL` and `TEST_REDIS_URL` when set.
 *
 * @param parent of the folder of their data; default: on the disk.
 * @param settings of a PostgreSQL server that this starts.
 */
export async function openTestServers(
  environment: NodeJS.ProcessEnv = process.env,
  parent?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestServers> {
  const run = await beginRun(parent);
  const freePort = portsOfOneRun();
  let openingPostgres: Promise<TestPostgres> | undefined;
  let openingRedis: Promise<TestRedis> | undefined;
  const postgres = (): Promise<TestPostgres> => {
    openingPostgres ??= openPostgres(run, environment, freePort, settings);
    return openingPostgres;
  };
  const redis = (): Promise<TestRedis> => {
    openingRedis ??= openRedis(run, environment, freePort);
    return openingRedis;
  };
  const { close: closeServers, ...own } = postgresServers(run, freePort);
  return {
    ...own,
    createDatabase: async (contents) => (await postgres()).createDatabase(contents),
    dropDatabase: async (url) => (await postgres()).dropDatabase(url),
    endConnections: async (of) => (await postgres()).endConnections(of),
    claimRedis: async () => (await redis()).claimDatabase(),
    releaseRedis: async (url) => (await redis()).releaseDatabase(url),
    startRedisServer: async (options) => (await redis()).startServer(options),
    killRedisServer: async (url) => (await redis()).killServer(url),
    restartRedisServer: async (url) => (await redis()).restartServer(url),
    dropRedisServer: async (url) => (await redis()).dropServer(url),
    freePort,
    close: async () => {
      const opened = await Promise.allSettled([openingPostgres, openingRedis]);
      for (const result of opened) {
        if (result.status === 'fulfilled') await result.value?.close();
      }
      await closeServers();
      // The folder, and whatever could not be stopped above.
      await run.guardian.close();
    },
  };
}

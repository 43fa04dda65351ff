import type { BrokerCall } from './broker.ts';
import type { DatabaseContents } from './postgres.ts';
import type { RedisServerOptions } from './redis.ts';
import { type TestRole, urlOfRole } from './roles.ts';

/** The environment variable by which workers find their run's broker. */
export const BROKER_VARIABLE = 'VCDS_TEST_BROKER';

/** A PostgreSQL database of one test file's own. */
export interface TestDatabase {
  /** Connection string of its owner, a super-user. */
  readonly url: string;
  /** Connection string of a service's own role, which owns nothing; of a migrated database. */
  urlOf(role: TestRole): string;
  /** Drops it, ending connections that are still open. */
  drop(): Promise<void>;
}

/** An empty Redis of one test file's own: a numbered database of the run's server. */
export interface TestRedisDatabase {
  readonly url: string;
  /** Empties it and gives the number back. */
  drop(): Promise<void>;
}

/** A Redis server of one test's own, to be crashed at will. */
export interface TestRedisServer {
  readonly url: string;
  readonly port: number;
  /** SIGKILL; resolves when it is dead. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with the data it had written. */
  restart(): Promise<void>;
  drop(): Promise<void>;
}

/**
 * A new database holding both services' migrated schemas (a copy of a template created once per
 * run, some tens of milliseconds), and the records of the file of SQL `seed`, with statistics (also a
 * template); with `migrated: false` an empty one. The end of the run drops the rest.
 */
export async function createTestDatabase(
  contents: Partial<DatabaseContents> = {},
): Promise<TestDatabase> {
  const url = await callBroker('createDatabase', { migrated: true, ...contents });
  return {
    url,
    urlOf: (role) => urlOfRole(url, role),
    drop: async () => void (await callBroker('dropDatabase', url)),
  };
}

/**
 * Cuts off the connections to a test database: all, or those that call themselves so. Those of
 * other tests, which the server has too, stay. Resolves when they are gone.
 *
 * @param url the database's connection string.
 * @param name their `application_name`.
 * @returns how many there were.
 */
export async function endConnections(url: string, name?: string): Promise<number> {
  return Number(await callBroker('endConnections', { url, name }));
}

/**
 * An empty Redis database. Channels, scripts and settings are the server's and shared; for tests
 * of those, and of crashes, see {@link createTestRedisServer}.
 */
export async function createTestRedis(): Promise<TestRedisDatabase> {
  const url = await callBroker('claimRedis');
  return { url, drop: async () => void (await callBroker('releaseRedis', url)) };
}

/**
 * A port of 127.0.0.1 that nothing listens on and that no other test of this run gets, for a
 * server of the test, or for a test that needs a port without a server.
 */
export async function freePort(): Promise<number> {
  return Number(await callBroker('freePort'));
}

/** A Redis server process for one test alone. */
export async function createTestRedisServer(
  options: RedisServerOptions = {},
): Promise<TestRedisServer> {
  const url = await callBroker('startRedisServer', options);
  return {
    url,
    port: Number(new URL(url).port),
    kill: async () => void (await callBroker('killRedisServer', url)),
    restart: async () => void (await callBroker('restartRedisServer', url)),
    drop: async () => void (await callBroker('dropRedisServer', url)),
  };
}

/** Makes a call of the servers of this run. */
export async function callBroker(
  action: BrokerCall['action'],
  argument?: unknown,
): Promise<string> {
  const broker = process.env[BROKER_VARIABLE];
  if (broker === undefined) {
    throw new Error('No test servers: run through Jest, or use openTestServers() of test-kit.');
  }
  const response = await fetch(broker, {
    method: 'POST',
    body: JSON.stringify({ action, argument }),
  });
  const body: { result?: unknown; message?: string } = JSON.parse(await response.text());
  if (!response.ok) throw new Error(body.message ?? `The test servers answer ${response.status}.`);
  return String(body.result);
}

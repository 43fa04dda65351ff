import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  findRedis,
  type RedisProgram,
  type RedisServer,
  startRedis,
  stateFolders,
} from '@vcds/local-stack';
import { Redis } from 'ioredis';
import type { FreePort } from './ports.ts';
import type { TestRun } from './run.ts';

/** How a Redis server of a test's own is to be. */
export interface RedisServerOptions {
  /** Append-only file, flushed every second, which survives `kill`. Default: nothing on disk. */
  readonly durable?: boolean;
  /** More lines for its configuration file, such as `cluster-enabled yes`. */
  readonly configuration?: readonly string[];
  /** A Sentinel; its `configuration` names the group that it watches. */
  readonly isSentinel?: boolean;
}

/** Redis for one run: numbered databases of a shared server, and servers of a test's own. */
export interface TestRedis {
  /** An empty database that no other test of this run (or on this server) has. */
  claimDatabase(): Promise<string>;
  releaseDatabase(url: string): Promise<void>;
  startServer(options: RedisServerOptions): Promise<string>;
  /** SIGKILL, as a crash would. */
  killServer(url: string): Promise<void>;
  /** Starts it again on the same port with the same folder. */
  restartServer(url: string): Promise<void>;
  dropServer(url: string): Promise<void>;
  close(): Promise<void>;
}

/** Keys in database 0 for the numbers in use; they expire after a run was killed. */
const CLAIM_PREFIX = 'vcds-test:database:';
const CLAIM_SECONDS = 7_200;
const DATABASES_OF_OWN_SERVER = 512;
/** The shared server rejects commands that would affect other tests. */
const SHARED_SERVER_OPTIONS = {
  configuration: [
    'user default on nopass ~* &* +@all -flushall -swapdb -shutdown -failover -replicaof ' +
      '-config|set -client|pause -client|kill -script|flush -function|flush',
  ],
};

/** Redis of `TEST_REDIS_URL` for the numbered databases, else a server of this run's own. */
export async function openRedis(
  run: TestRun,
  environment: NodeJS.ProcessEnv,
  freePort: FreePort,
): Promise<TestRedis> {
  const given = environment.TEST_REDIS_URL || undefined;
  const servers = ownServers(run, environment, freePort);
  const url = given ?? (await servers.start(SHARED_SERVER_OPTIONS, DATABASES_OF_OWN_SERVER));
  const control = new Redis(withDatabase(url, 0), { maxRetriesPerRequest: 2 });
  control.on('error', () => undefined);
  const count = await databaseCount(control);
  return {
    claimDatabase: () => claim(control, url, count, run.id),
    releaseDatabase: (databaseUrl) => release(control, databaseUrl),
    startServer: (options) => servers.start(options),
    killServer: servers.kill,
    restartServer: servers.restart,
    dropServer: servers.drop,
    close: async () => {
      if (given !== undefined) await releaseAll(control, url, count, run.id);
      control.disconnect();
      await servers.close();
    },
  };
}

async function databaseCount(control: Redis): Promise<number> {
  const answer = await control.config('GET', 'databases');
  const count = Array.isArray(answer) ? Number(answer[1]) : Number.NaN;
  return Number.isInteger(count) ? count : 16;
}

async function claim(control: Redis, url: string, count: number, runId: string): Promise<string> {
  for (let number = 1; number < count; number += 1) {
    const key = `${CLAIM_PREFIX}${number}`;
    const isMine = await control.set(key, runId, 'EX', CLAIM_SECONDS, 'NX');
    if (isMine === null) continue;
    const databaseUrl = withDatabase(url, number);
    await flush(databaseUrl);
    return databaseUrl;
  }
  throw new Error(`All ${count - 1} Redis databases are in use: call drop() when done with one.`);
}

async function release(control: Redis, databaseUrl: string): Promise<void> {
  await flush(databaseUrl);
  await control.del(`${CLAIM_PREFIX}${new URL(databaseUrl).pathname.slice(1)}`);
}

async function releaseAll(control: Redis, url: string, count: number, id: string): Promise<void> {
  for (let number = 1; number < count; number += 1) {
    const holder = await control.get(`${CLAIM_PREFIX}${number}`);
    if (holder === id) await release(control, withDatabase(url, number));
  }
}

async function flush(databaseUrl: string): Promise<void> {
  const client = new Redis(databaseUrl, { maxRetriesPerRequest: 2 });
  client.on('error', () => undefined);
  try {
    await client.flushdb();
  } finally {
    client.disconnect();
  }
}

interface OwnServer {
  server: RedisServer;
  readonly folder: string;
  readonly restart: () => Promise<RedisServer>;
}

function ownServers(run: TestRun, environment: NodeJS.ProcessEnv, freePort: FreePort) {
  const running = new Map<string, OwnServer>();
  let program: Promise<RedisProgram> | undefined;
  let lastNumber = 0;
  const start = async (options: RedisServerOptions, databases?: number): Promise<string> => {
    program ??= findRedis({
      environment,
      tools: stateFolders(environment).tools,
      announce: (sentence) => process.stderr.write(`${sentence}\n`),
    });
    lastNumber += 1;
    const folder = join(run.folder, `redis-${lastNumber}`);
    await mkdir(folder, { recursive: true });
    const settings = {
      program: await program,
      folder,
      port: await freePort(),
      purpose: options.durable ? ('durable' as const) : ('disposable' as const),
      configuration: options.configuration ?? [],
      isSentinel: options.isSentinel === true,
      logFile: join(folder, 'redis.log'),
      guardian: run.guardian,
      ...(databases === undefined ? {} : { databases }),
    };
    const server = await startRedis(settings);
    running.set(server.url, { server, folder, restart: () => startRedis(settings) });
    return server.url;
  };
  const find = (url: string): OwnServer => {
    const found = running.get(url);
    if (found === undefined) throw new Error(`${url} is no Redis server of this test run.`);
    return found;
  };
  const drop = async (url: string) => {
    const { server, folder } = find(url);
    running.delete(url);
    server.kill();
    await server.ended;
    await rm(folder, { recursive: true, force: true });
  };
  return {
    start,
    kill: async (url: string) => {
      const { server } = find(url);
      server.kill();
      await server.ended;
    },
    restart: async (url: string) => {
      const own = find(url);
      if (!own.server.isRunning()) own.server = await own.restart();
    },
    drop,
    close: async () => {
      for (const url of [...running.keys()]) await drop(url);
    },
  };
}

function withDatabase(url: string, number: number): string {
  const changed = new URL(url);
  changed.pathname = `/${number}`;
  return changed.href;
}

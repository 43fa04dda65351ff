import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  atLength,
  createTestDatabase,
  createTestRedisServer,
  eventually,
  type TestDatabase,
  type TestRedisServer,
} from '@vcds/test-kit';
import { Redis } from 'ioredis';
import pg from 'pg';

const script = fileURLToPath(new URL('fixtures/run.mjs', import.meta.url));
const FAILING = fileURLToPath(new URL('fixtures/fails-while-loading.mjs', import.meta.url));
const SLOW_MS = 60_000;
const SIGNALS = (['SIGKILL', 'SIGTERM'] as const).slice(0, atLength(1, 2));

interface Opened {
  readonly child: ChildProcess;
  readonly database: string;
  readonly redis: string;
}

async function startRun(environment: NodeJS.ProcessEnv = {}): Promise<Opened> {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, ...JSON.parse(line) };
}

test('a program that a test file started ends with a process that fails before it can end it', async () => {
  const failing = spawn(process.execPath, [FAILING], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let pid = '';
  failing.stdout.setEncoding('utf8').on('data', (text: string) => {
    pid += text;
  });
  const [status] = await once(failing, 'close');
  expect([status, pid]).toEqual([1, expect.stringMatching(/^\d+$/)]);
  await eventually(() => !existsSync(`/proc/${pid}`));
});

async function end(run: Opened, signal: NodeJS.Signals): Promise<void> {
  run.child.kill(signal);
  await once(run.child, 'exit');
}

async function answers(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

async function pings(redisUrl: string): Promise<boolean> {
  const client = new Redis(redisUrl, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

/** The folder of a run is named after it, and so are its databases. */
function folderOf({ database }: Opened): string {
  const id = /vcds_test_([0-9a-f]{8})_/.exec(database)?.[1] ?? '';
  expect(id).not.toBe('');
  const parent = process.getuid?.() === 0 ? '/var/lib/vcds' : tmpdir();
  return join(parent, `vcds-test-${id}`);
}

describe('a run with servers of its own', () => {
  test.each(SIGNALS)(
    'leaves nothing behind after %s',
    async (signal) => {
      const run = await startRun();
      expect(existsSync(folderOf(run))).toBe(true);
      await end(run, signal);
      await eventually(async () => !(await answers(run.database)));
      await eventually(async () => !(await pings(run.redis)));
      await eventually(async () => !existsSync(folderOf(run)));
    },
    SLOW_MS,
  );
});

describe('a run on servers that were there before', () => {
  let database: TestDatabase;
  let redis: TestRedisServer;
  let environment: NodeJS.ProcessEnv;

  beforeEach(async () => {
    database = await createTestDatabase({ migrated: false });
    redis = await createTestRedisServer();
    environment = { TEST_DATABASE_URL: database.url, TEST_REDIS_URL: redis.url };
  });

  afterEach(async () => {
    await redis.drop();
    await database.drop();
  });

  test.each(SIGNALS)(
    'uses them and cleans up after %s',
    async (signal) => {
      const run = await startRun(environment);
      expect(new URL(run.database).host).toBe(new URL(database.url).host);
      expect(new URL(run.redis).host).toBe(new URL(redis.url).host);
      await end(run, signal);
      await eventually(async () => !(await answers(run.database)));
      expect(await answers(database.url)).toBe(true);
      expect(await pings(redis.url)).toBe(true);
    },
    SLOW_MS,
  );

  test(
    'two runs at once do not disturb each other; the first drops what an ended run left',
    async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query('CREATE DATABASE vcds_test_deadbeef_1');
      const first = await startRun(environment);
      const { rows } = await client.query(
        `SELECT FROM pg_database WHERE datname = 'vcds_test_deadbeef_1'`,
      );
      expect(rows).toEqual([]);
      await client.end();
      const second = await startRun(environment);
      expect(second.redis).not.toBe(first.redis);
      expect(await answers(first.database)).toBe(true);
      await end(second, 'SIGTERM');
      expect(await answers(first.database)).toBe(true);
      await end(first, 'SIGTERM');
      expect(await answers(first.database)).toBe(false);
    },
    SLOW_MS,
  );
});

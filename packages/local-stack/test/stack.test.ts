import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@vcds/local-stack';
import { createTestDatabase, createTestRedisServer } from '@vcds/test-kit';
import pg from 'pg';
import { makeHome, type StackHome, type StackProcess } from './stack-process.ts';

const ready = /is ready\./;
const slow = 60_000;

let home: StackHome;

beforeAll(async () => {
  home = await makeHome();
});

afterAll(async () => {
  await home.remove();
}, slow);

interface Runtime {
  readonly environment: Readonly<Record<string, string>>;
}

async function runtime(): Promise<Runtime> {
  return JSON.parse(await readFile(join(home.local, 'stack.json'), 'utf8'));
}

async function startupIds(): Promise<number[]> {
  const { environment } = await runtime();
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: number }>('SELECT id FROM venture.startup');
    return rows.map(({ id }) => id).sort();
  } finally {
    await client.end();
  }
}

async function stop(stack: StackProcess): Promise<number | NodeJS.Signals> {
  stack.process.kill('SIGINT');
  return stack.ended;
}

/** Processes of this test's local folder that are alive. */
async function leftOver(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => commands[index]?.includes(`LOCAL_DIR=${home.local}`));
}

async function untilNothingIsLeft(): Promise<void> {
  const deadline = Date.now() + 20_000;
  while ((await leftOver()).length > 0 && Date.now() < deadline) await delay(50);
  expect(await leftOver()).toEqual([]);
}

describe('the local stack', () => {
  test(
    'comes up, shows what it has, stops in order and leaves no process',
    async () => {
      const stack = home.start();
      const text = await stack.until(ready);
      expect(text).toContain(`http://127.0.0.1:${home.environment.DATA_API_PORT}/v2`);
      expect(text).toContain(`http://127.0.0.1:${home.environment.ACCESS_API_PORT}/api/v1`);
      expect(text).toContain('REQUIRE_HTTPS=false');
      expect(text).toContain(join(home.local, 'mail'));
      expect(text).toMatch(/Key +pk_live_fixture/);
      expect(text).toContain('Code 123456 for ann@example.com');
      expect(text).not.toContain('"level"');
      expect(await startupIds()).toEqual([1, 2, 3]);
      expect(await stop(stack)).toBe(0);
      const stopped = [...stack.output().stderr.matchAll(/^Stopping (\S+) \.\.\.$/gm)];
      expect(stopped.map((match) => match[1])).toEqual([
        'mail-worker',
        'data-api',
        'access-api',
        'Redis',
        'PostgreSQL',
      ]);
      expect(await leftOver()).toEqual([]);
    },
    slow,
  );

  test(
    'gives the services their addresses, stores and one secret that only they share',
    async () => {
      const stack = home.start();
      await stack.until(ready);
      const port = home.environment.DATA_API_INTERNAL_PORT;
      const response = await fetch(`http://127.0.0.1:${port}/environment`);
      const environment: NodeJS.ProcessEnv = JSON.parse(await response.text());
      expect(environment).toMatchObject({
        ACCESS_INTERNAL_URL: `http://127.0.0.1:${home.environment.ACCESS_API_INTERNAL_PORT}`,
        DATA_API_PUBLIC_URL: `http://127.0.0.1:${home.environment.DATA_API_PORT}`,
        MAIL_TRANSPORT: 'file',
        MX_CHECK: 'off',
        REQUIRE_HTTPS: 'false',
      });
      expect(environment.DATABASE_URL).toMatch(/^postgres:\/\/postgres:.+@127\.0\.0\.1:/);
      expect(environment.REDIS_URL).toMatch(/^redis:\/\/:.+@127\.0\.0\.1:/);
      expect(environment.SERVICE_TOKEN_SECRET).toMatch(/^[0-9a-f]{64}$/);
      expect(environment.CODE_SECRET).toMatch(/^[0-9a-f]{64}$/);
      expect(environment.CURSOR_SECRET).toMatch(/^[0-9a-f]{64}$/);
      for (const name of ['secrets.json', 'stack.json']) {
        expect((await stat(join(home.local, name))).mode & 0o777).toBe(0o600);
      }
      await stop(stack);
    },
    slow,
  );

  test(
    'keeps data and secrets from start to start, within ten seconds',
    async () => {
      const before = await readFile(join(home.local, 'secrets.json'), 'utf8');
      const startedAt = Date.now();
      const stack = home.start();
      const text = await stack.until(ready);
      expect(Date.now() - startedAt).toBeLessThan(10_000);
      expect(text).not.toContain('Filling the database');
      expect(await startupIds()).toEqual([1, 2, 3]);
      expect(await readFile(join(home.local, 'secrets.json'), 'utf8')).toBe(before);
      await stop(stack);
    },
    slow,
  );

  test(
    '--fresh forgets everything, --empty leaves it so',
    async () => {
      const before = await readFile(join(home.local, 'secrets.json'), 'utf8');
      const stack = home.start(['--fresh', '--empty']);
      await stack.until(ready);
      expect(await startupIds()).toEqual([]);
      expect(await readFile(join(home.local, 'secrets.json'), 'utf8')).not.toBe(before);
      await stop(stack);
    },
    slow,
  );

  test(
    'fills a database that was left empty, and resumes a filling that was interrupted',
    async () => {
      const runs = join(home.local, 'demo-runs.txt');
      const runLines = async () => (await readFile(runs, 'utf8').catch(() => '')).split('\n');
      // Written by fillings before: a fresh start leaves alone what it did not make.
      await rm(runs, { force: true });
      const first = home.start([], { FIXTURE_DEMO_DELAY_MS: '60000' });
      while (!(await runLines())[0]?.startsWith('1 ')) await delay(20);
      expect(await stop(first)).toBe(130);
      const second = home.start();
      await second.until(ready);
      expect(await startupIds()).toEqual([1, 2, 3]);
      await stop(second);
      const today = '--today \\d{4}-\\d\\d-\\d\\d';
      const [begun, resumed] = await runLines();
      expect(begun).toMatch(new RegExp(`^1 ${today} --only-if-empty$`));
      expect(resumed).toBe(begun?.replace(' --only-if-empty', ''));
    },
    slow,
  );

  test(
    '--json prints exactly one line when ready',
    async () => {
      const stack = home.start(['--json']);
      await stack.until(/"ready":true/);
      await stop(stack);
      const lines = stack.output().stdout.trimEnd().split('\n');
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? '')).toEqual({
        ready: true,
        base_url: `http://127.0.0.1:${home.environment.DATA_API_PORT}/v2`,
        auth_url: `http://127.0.0.1:${home.environment.ACCESS_API_PORT}/api/v1`,
        api_key: expect.stringMatching(/^pk_live_fixture/),
        mail_dir: join(home.local, 'mail'),
        pid: stack.process.pid,
      });
      expect(stack.output().stderr).toContain('Code 123456');
    },
    slow,
  );
});

describe('with stores that were there before', () => {
  test(
    'starts none, fills none with invented data and issues no ready-made key',
    async () => {
      const database = await createTestDatabase({ migrated: false });
      const redis = await createTestRedisServer();
      const stack = home.start([], { DATABASE_URL: database.url, REDIS_URL: redis.url });
      const text = await stack.until(ready);
      expect(text).not.toMatch(/Starting (PostgreSQL|Redis)|Filling the database/);
      expect(text).toMatch(/Key +register for one at http/);
      const { environment } = await runtime();
      expect(environment).toMatchObject({ DATABASE_URL: database.url, REDIS_URL: redis.url });
      expect(await startupIds()).toEqual([]);
      expect(await stop(stack)).toBe(0);
      await redis.drop();
      await database.drop();
    },
    slow,
  );

  test(
    'says which of them is out of reach',
    async () => {
      const port = await freePort();
      const stack = home.start([], { DATABASE_URL: `postgres://me:pw@127.0.0.1:${port}/mine` });
      expect(await stack.ended).toBe(1);
      expect(stack.output().stderr).toContain(`127.0.0.1:${port}/mine cannot be used`);
      expect(stack.output().stderr).not.toContain('pw@');
    },
    slow,
  );
});

describe('what can go wrong', () => {
  test(
    'a service that ends takes the stack down, with its last words',
    async () => {
      const stack = home.start();
      await stack.until(ready);
      const port = home.environment.DATA_API_INTERNAL_PORT;
      await fetch(`http://127.0.0.1:${port}/crash`).catch(() => undefined);
      expect(await stack.ended).toBe(1);
      expect(stack.output().stderr).toMatch(
        /data-api ended with exit code 3\..*data-api gives up/s,
      );
      expect(await leftOver()).toEqual([]);
    },
    slow,
  );

  test(
    'a service that does not start is named, with its complaint',
    async () => {
      const stack = home.start([], { FIXTURE_FAILS: 'access-api' });
      expect(await stack.ended).toBe(1);
      expect(stack.output().stderr).toMatch(
        /access-api ended with exit code 1\..*SOME_VARIABLE must be a whole number/s,
      );
      expect(await leftOver()).toEqual([]);
    },
    slow,
  );

  test(
    'a world that cannot be made is reported with its last words',
    async () => {
      const stack = home.start(['--fresh'], { FIXTURE_FAILS: 'demo' });
      expect(await stack.ended).toBe(1);
      expect(stack.output().stderr).toMatch(
        /Filling the database ended with exit code 4.*cannot be made/s,
      );
    },
    slow,
  );

  test(
    'a second stack in the same folder is refused',
    async () => {
      const first = home.start();
      await first.until(ready);
      const second = home.start();
      expect(await second.ended).toBe(1);
      expect(second.output().stderr).toContain(`already running from this folder (process`);
      expect(first.process.exitCode).toBeNull();
      await stop(first);
    },
    slow,
  );

  test(
    'a stack that is killed leaves no process, and the next one starts',
    async () => {
      const first = home.start();
      await first.until(ready);
      first.process.kill('SIGKILL');
      await first.ended;
      await untilNothingIsLeft();
      const second = home.start();
      await second.until(ready);
      expect(await startupIds()).toEqual([1, 2, 3]);
      await stop(second);
    },
    slow,
  );

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'an npm that is ended by %s takes the stack along, in order',
    async (signal) => {
      const npm = home.startThroughNpm();
      await npm.until(ready);
      npm.process.kill(signal);
      await npm.until(/Stopping PostgreSQL: done/);
      await npm.ended;
      expect(await leftOver()).toEqual([]);
    },
    slow,
  );

  test(
    'a Ctrl-C that arrives twice, as from the terminal and through npm, counts as one',
    async () => {
      const stack = home.start();
      await stack.until(ready);
      stack.process.kill('SIGINT');
      stack.process.kill('SIGINT');
      expect(await stack.ended).toBe(0);
    },
    slow,
  );

  test(
    'a second Ctrl-C ends it at once, and nothing is left all the same',
    async () => {
      const stack = home.start([], { FIXTURE_STOP_AFTER_MS: '30000' });
      await stack.until(ready);
      stack.process.kill('SIGINT');
      await stack.until(/Stopping mail-worker/);
      await delay(1_200);
      stack.process.kill('SIGINT');
      expect(await stack.ended).toBe(130);
      await untilNothingIsLeft();
    },
    slow,
  );
});

describe('a busy port', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(Number(home.environment.DATA_API_PORT), '127.0.0.1', resolve);
    });
  });

  afterAll(() => {
    server.close();
  });

  test(
    'is named with what it is for, who has it and the variable that sets another',
    async () => {
      const stack = home.start();
      expect(await stack.ended).toBe(1);
      const { stderr } = stack.output();
      expect(stderr).toContain(`Port ${home.environment.DATA_API_PORT}, meant for the data API`);
      expect(stderr).toContain(`by process ${process.pid} (`);
      expect(stderr).toMatch(/DATA_API_PORT=\d+ .*npm start$/m);
      expect(await leftOver()).toEqual([]);
    },
    slow,
  );
});

describe('configuration', () => {
  test(
    'every fault is a line that names its variable',
    async () => {
      const stack = home.start([], {
        DATA_API_PORT: 'eighty',
        REDIS_URL: 'http://nowhere',
        ACCESS_API_PORT: home.environment.DATA_API_INTERNAL_PORT,
      });
      expect(await stack.ended).toBe(1);
      const lines = stack.output().stderr.trim().split('\n');
      expect(lines).toEqual([
        'DATA_API_PORT must be a port, 1 to 65535.',
        expect.stringMatching(/^REDIS_URL must begin redis:/),
        expect.stringMatching(/are both \d+\.$/),
      ]);
    },
    slow,
  );
});

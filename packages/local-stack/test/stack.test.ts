// Tests docs/spec/operations.md 16.8.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedisServer, freePort } from '@vcds/test-kit';
import { leftOver, makeHome, READY, runtime, startupIds, stop } from './stack-process.ts';

const home = await makeHome();
afterEach(() => home.stopAll());
afterAll(() => home.remove());

describe('the local stack', () => {
  test('starts, prints the banner, stops in order and leaves no process', async () => {
    const stack = home.start();
    const text = await stack.until(READY);
    expect(text).toContain(`http://127.0.0.1:${home.environment.DATA_API_PORT}/v2`);
    expect(text).toContain(`http://127.0.0.1:${home.environment.ACCESS_API_PORT}/api/v1`);
    expect(text).toContain('REQUIRE_HTTPS=false');
    expect(text).toContain(join(home.local, 'mail'));
    expect(text).toMatch(/Key +pk_live_fixture/);
    expect(text).toContain('Code 123456 for ann@example.com');
    expect(text).not.toContain('"level"');
    expect(await startupIds(home)).toEqual([1, 2, 3]);
    expect(await stop(stack)).toBe(0);
    const stopped = [...stack.output().stderr.matchAll(/^Stopping (\S+) \.\.\.$/gm)];
    expect(stopped.map((match) => match[1])).toEqual([
      'data-worker',
      'worker',
      'data-api',
      'access-api',
      'Redis',
      'PostgreSQL',
    ]);
    expect(await leftOver(home)).toEqual([]);
  });

  test('keeps data and secrets across starts; gives the services their addresses, stores and shared secrets', async () => {
    const secrets = () => readFile(join(home.local, 'secrets.json'), 'utf8');
    const before = await secrets();
    await writeFile(join(home.local, 'demo-key'), 'pk_live_known\n');
    const stack = home.start();
    const text = await stack.until(READY);
    expect(text).not.toContain('Importing demonstration data');
    // The key of the first start, which access-api accepts.
    expect(text).toMatch(/Key +pk_live_known\n/);
    expect(await startupIds(home)).toEqual([1, 2, 3]);
    expect(await secrets()).toBe(before);
    const environmentOf = async (variable: string): Promise<NodeJS.ProcessEnv> => {
      const port = home.environment[variable];
      return JSON.parse(await (await fetch(`http://127.0.0.1:${port}/environment`)).text());
    };
    const environment = await environmentOf('DATA_API_INTERNAL_PORT');
    expect(environment).toMatchObject({
      ACCESS_INTERNAL_URL: `http://127.0.0.1:${home.environment.ACCESS_API_INTERNAL_PORT}`,
      DATA_API_PUBLIC_URL: `http://127.0.0.1:${home.environment.DATA_API_PORT}`,
      MAIL_TRANSPORT: 'file',
      MX_CHECK: 'off',
      REQUIRE_HTTPS: 'false',
    });
    expect(environment.DATABASE_URL).toMatch(/^postgres:\/\/vcds_data_api:.+@127\.0\.0\.1:/);
    const dataWorker = await environmentOf('DATA_WORKER_INTERNAL_PORT');
    const accessApi = await environmentOf('ACCESS_API_INTERNAL_PORT');
    expect(dataWorker.DATA_WORKER_DATABASE_URL).toMatch(/^postgres:\/\/vcds_data_worker:.+@/);
    expect(accessApi.ACCESS_DATABASE_URL).toMatch(/^postgres:\/\/vcds_access_api:.+@/);
    // Each has its own secrets, and none of the roles of commands.
    const SECRET = /_SECRET$|_KEY$|DATABASE_URL$|REDIS_URL$/;
    const secretsOf = (of: NodeJS.ProcessEnv) =>
      Object.keys(of).filter((name) => SECRET.test(name));
    expect(secretsOf(environment).sort()).toEqual([
      ...['CURSOR_SECRET', 'DATABASE_URL', 'REDIS_URL', 'SERVICE_TOKEN_SECRET'],
    ]);
    expect(secretsOf(dataWorker).sort()).toEqual([
      ...['DATA_WORKER_DATABASE_URL', 'QUEUE_REDIS_URL', 'REDIS_URL'],
    ]);
    expect(secretsOf(await environmentOf('WORKER_INTERNAL_PORT')).sort()).toEqual([
      ...['ACCESS_DATABASE_URL', 'CODE_SECRET', 'QUEUE_REDIS_URL', 'REDIS_URL'],
    ]);
    expect((await runtime(home)).environment).toMatchObject({
      MIGRATION_DATABASE_URL: expect.stringMatching(/^postgres:\/\/vcds_owner:/),
      ACCESS_MIGRATION_DATABASE_URL: expect.stringMatching(/^postgres:\/\/vcds_owner:/),
      IMPORT_DATABASE_URL: expect.stringMatching(/^postgres:\/\/vcds_importer:/),
      DATA_WORKER_DATABASE_URL: expect.stringMatching(/^postgres:\/\/vcds_data_worker:/),
    });
    expect(environment.REDIS_URL).toMatch(/^redis:\/\/:.+@127\.0\.0\.1:/);
    expect(environment.SERVICE_TOKEN_SECRET).toMatch(/^[0-9a-f]{64}$/);
    expect(accessApi.CODE_SECRET).toMatch(/^[0-9a-f]{64}$/);
    expect(environment.CURSOR_SECRET).toMatch(/^[0-9a-f]{64}$/);
    for (const name of ['secrets.json', 'stack.json']) {
      expect((await stat(join(home.local, name))).mode & 0o777).toBe(0o600);
    }
    await stop(stack);
  });

  test('--fresh deletes everything, --empty imports nothing', async () => {
    const before = await readFile(join(home.local, 'secrets.json'), 'utf8');
    const stack = home.start(['--fresh', '--empty']);
    await stack.until(READY);
    expect(await startupIds(home)).toEqual([]);
    expect(await readFile(join(home.local, 'secrets.json'), 'utf8')).not.toBe(before);
    await stop(stack);
  });

  test('imports into a database that was left empty, and resumes an interrupted import', async () => {
    const runs = join(home.local, 'demo-runs.txt');
    const runLines = async () => (await readFile(runs, 'utf8').catch(() => '')).split('\n');
    // Earlier imports wrote it; a fresh start does not delete files of others.
    await rm(runs, { force: true });
    const first = home.start([], { FIXTURE_DEMO_DELAY_MS: '60000' });
    while (first.process.exitCode === null && !(await runLines())[0]?.startsWith('1 ')) {
      await delay(20);
    }
    expect(await stop(first)).toBe(130);
    const second = home.start();
    await second.until(READY);
    expect(await startupIds(home)).toEqual([1, 2, 3]);
    await stop(second);
    const today = '--today \\d{4}-\\d\\d-\\d\\d';
    const [begun, resumed] = await runLines();
    expect(begun).toMatch(new RegExp(`^1 ${today} --only-if-empty$`));
    expect(resumed).toBe(begun?.replace(' --only-if-empty', ''));
  });

  test('--json prints exactly one line when ready', async () => {
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
  });
});

describe('with external stores', () => {
  test('starts none, imports no demonstration data and creates no key', async () => {
    const database = await createTestDatabase({ migrated: false });
    const redis = await createTestRedisServer();
    const stack = home.start([], { DATABASE_URL: database.url, REDIS_URL: redis.url });
    const text = await stack.until(READY);
    expect(text).not.toMatch(/Starting (PostgreSQL|Redis)|Importing demonstration data/);
    expect(text).toMatch(/Key +register at http/);
    const { environment } = await runtime(home);
    expect(environment).toMatchObject({ DATABASE_URL: database.url, REDIS_URL: redis.url });
    expect(await startupIds(home)).toEqual([]);
    expect(await stop(stack)).toBe(0);
    await redis.drop();
    await database.drop();
  });

  test('names an unreachable one', async () => {
    const port = await freePort();
    const stack = home.start([], { DATABASE_URL: `postgres://me:pw@127.0.0.1:${port}/mine` });
    expect(await stack.ended).toBe(1);
    expect(stack.output().stderr).toContain(`127.0.0.1:${port}/mine cannot be used`);
    expect(stack.output().stderr).not.toContain('pw@');
  });
});

import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import { applyMigrations, serviceSchemas } from '@vcds/migrate';
import { createTestRedis, eventually, type TestRedisDatabase } from '@vcds/test-kit';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  type DumpServer,
  describeWithDump,
  startDumpServer,
} from '../../../services/data-api/test/signals/support/debian-postgres.ts';
import { runBackup } from '../src/backup/run-backup.ts';
import { runRestore } from '../src/backup/run-restore.ts';
import { backupOptions } from './backup-options.ts';
import { makeHome } from './stack-process.ts';

const home = await makeHome();
const folder = await mkdtemp(join(tmpdir(), 'vcds-restore-'));
afterAll(async () => {
  await home.remove();
  await rm(folder, { recursive: true });
});
const common = backupOptions(home.environment);

describeWithDump('a restore of an external database', (programs) => {
  const { PATH } = process.env;
  const tools = join(folder, 'tools');
  let server: DumpServer;
  let redis: TestRedisDatabase;
  let environment: NodeJS.ProcessEnv;
  const query = async (text: string, values: readonly unknown[] = []) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  const withRedis = async <T>(work: (client: Redis) => Promise<T>) => {
    const client = new Redis(redis.url);
    return work(client).finally(() => client.quit());
  };
  const addStartup = (name: string) =>
    query(`INSERT INTO venture.startup (name) VALUES ('${name}')`);
  const state = async () => ({
    startups: (await query('SELECT name FROM venture.startup ORDER BY 1')).map(({ name }) => name),
    accounts: (await query('SELECT plan FROM access.account')).length,
    redis: await withRedis((client) => client.dbsize()),
  });
  const LATER = { startups: ['at the backup', 'later'], accounts: 1, redis: 1 };
  const restored = (more: Partial<Parameters<typeof runRestore>[0]> = {}) =>
    runRestore({
      ...common,
      environment: { ...environment, PATH: process.env.PATH },
      folder: join(folder, 'external'),
      replace: true,
      ...more,
    });
  /** A pg_restore that runs a command of the shell after the whole output of the last dump. */
  const thenPgRestore = async (command: string) => {
    const real = join(programs, 'pg_restore');
    const script = [
      '#!/bin/sh',
      `[ "$1" = --version ] && exec ${real} "$@"`,
      `${real} "$@"`,
      `case "$*" in *access.dump) ${command};; esac`,
    ];
    await writeFile(join(tools, 'pg_restore'), `${script.join('\n')}\n`, { mode: 0o755 });
    process.env.PATH = `${tools}:${programs}:${PATH}`;
  };
  /** A restore that waits in the middle; resolves with the session of its transaction. */
  const untilLoading = async () => {
    await eventually(() => readFile(join(tools, 'loading')));
    await rm(join(tools, 'loading'));
    const [session] = await query(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'psql'`,
    );
    return {
      pid: session?.pid,
      ended: () =>
        eventually(async () => {
          const sessions = await query(`SELECT FROM pg_stat_activity WHERE pid = ${session?.pid}`);
          return sessions.length === 0;
        }),
    };
  };
  const WAIT = `touch ${join(tools, 'loading')}; exec sleep 5`;

  beforeAll(async () => {
    await mkdir(tools);
    [server, redis] = await Promise.all([startDumpServer(programs), createTestRedis()]);
    environment = { ...home.environment, DATABASE_URL: server.url, REDIS_URL: redis.url };
    process.env.PATH = `${programs}:${PATH}`;
    for (const target of serviceSchemas) {
      await applyMigrations({ ...target, connectionString: server.url });
    }
    await addStartup('at the backup');
    await runBackup({
      ...common,
      environment: { ...environment, PATH: process.env.PATH },
      folder: join(folder, 'external'),
    });
    await addStartup('later');
    await query(
      `INSERT INTO access.account (id, plan, bucket, position, created_at)
         VALUES (gen_random_uuid(), 'free', 0, 1, now())`,
    );
    await withRedis((client) => client.set('balance', '1'));
  });
  afterEach(() => {
    process.env.PATH = `${programs}:${PATH}`;
  });
  afterAll(async () => {
    process.env.PATH = PATH;
    await Promise.all([server.close(), redis.drop()]);
  });

  test('needs --replace over data, and no session of the product, whatever its role is called', async () => {
    await expect(restored({ replace: false })).rejects.toThrow('has data. Add --replace');
    await query('CREATE ROLE of_our_own LOGIN; GRANT vcds_access_api TO of_our_own');
    const url = new URL(server.url);
    for (const [user, name] of [
      ['of_our_own', ''],
      ['postgres', 'data-api'],
    ]) {
      url.username = user ?? '';
      const service = new pg.Client({ connectionString: url.href, application_name: name });
      await service.connect();
      await expect(restored()).rejects.toThrow(`Stop the processes first; connected: ${user}`);
      await service.end();
    }
    expect(await state()).toEqual(LATER);
  });

  test.each([
    ['the end of pg_restore', 'exit 1', /^bash failed/],
    ['a statement that fails', 'echo "SELECT 1 / 0;"', /^bash failed: .*division by zero/],
  ])('that fails by %s changes neither PostgreSQL nor Redis', async (_, command, message) => {
    await thenPgRestore(command);
    await expect(restored()).rejects.toThrow(message);
    expect(await state()).toEqual(LATER);
  });

  test('whose connection is lost changes nothing', async () => {
    await thenPgRestore(WAIT);
    const failure = restored().catch((error: Error) => error.message);
    const { pid, ended } = await untilLoading();
    await query('SELECT pg_terminate_backend($1)', [pid]);
    await ended();
    expect(await failure).toMatch(/bash failed: .*(terminating connection|closed the connection)/s);
    expect(await state()).toEqual(LATER);
  });

  test('that is killed changes nothing', async () => {
    await thenPgRestore(WAIT);
    const program = join(repositoryRoot, 'packages/local-stack/bin/restore.mjs');
    const args = [program, join(folder, 'external'), '--replace'];
    const env = { ...environment, PATH: process.env.PATH };
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
    const { ended } = await untilLoading();
    child.kill('SIGKILL');
    await ended();
    expect(await state()).toEqual(LATER);
  });

  test('by the scripts of compose and Kubernetes has the same checks and one transaction', async () => {
    const cwd = join(folder, 'volume-of-jobs');
    await mkdir(cwd);
    const script = (name: string) => {
      const file = join(repositoryRoot, `docker/backup/${name}.sh`);
      const env = { PATH: process.env.PATH, MIGRATION_DATABASE_URL: server.url };
      const args = ['-euo', 'pipefail', '-c', '. "$0"', file];
      return promisify(execFile)('bash', args, { cwd, env });
    };
    await script('backup');
    await script('check');
    await addStartup('after the scripts');
    const url = new URL(server.url);
    url.username = 'of_our_own';
    const service = new pg.Client({ connectionString: url.href });
    await service.connect();
    await expect(script('check')).rejects.toThrow(
      'Stop the processes first; connected: of_our_own',
    );
    await service.end();
    for (const command of ['exit 1', 'echo "SELECT 1 / 0;"']) {
      await thenPgRestore(command);
      await expect(script('restore')).rejects.toThrow(/restore\.sh/);
      expect((await state()).startups).toEqual(['after the scripts', ...LATER.startups]);
    }
    process.env.PATH = `${programs}:${PATH}`;
    await script('restore');
    expect(await state()).toEqual(LATER);
  });

  test('replaces all data in one step, empties Redis and grants the privileges again', async () => {
    await restored();
    expect(await state()).toEqual({ startups: ['at the backup'], accounts: 0, redis: 0 });
    const [granted] = await query(
      `SELECT has_table_privilege('vcds_data_api', 'venture.startup', 'SELECT') AS reads`,
    );
    expect(granted).toEqual({ reads: true });
  });
});

import { execFile } from 'node:child_process';
import { cp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack';
import { Redis } from 'ioredis';
import type { IContainer } from 'kubernetes-models/v1';
import pg from 'pg';
import {
  type DumpServer,
  describeWithDump,
  startDumpServer,
} from '../../../../services/data-api/test/signals/support/debian-postgres.ts';
import { makeHome, type StackHome, stop } from '../../../local-stack/test/stack-process.ts';
import { createTestRedis } from '../../src/client.ts';
import { eventually } from '../../src/eventually.ts';
import { testFolder } from '../../src/test-folder.ts';
import { describeWithKustomize, workloadsOf } from './render.ts';

const START = join(repositoryRoot, 'packages/local-stack/bin/start.mjs');

/** A product on stores of its own, and how to back it up and to restore it. */
interface Drill {
  readonly home: StackHome;
  readonly server: DumpServer;
  readonly redis: Redis;
  readonly folder: string;
}
type Step = (drill: Drill) => Promise<unknown>;

const CHARGES =
  'SELECT count(*) AS calls, sum(charged) AS charged, min(op::text) AS first FROM access.charge';
const SCHEMAS = ['venture', 'stated', 'venture_import', 'access', 'access_partition'];

describeWithDump('a dump of external stores', (programs) => {
  const npmRun = ({ home }: Drill, script: string, ...args: string[]) =>
    run('npm', ['run', '-s', script, '--', ...args], home.environment);

  test('by npm run backup restores balances, keys, cursors and ids', () =>
    rehearse(
      programs,
      (drill) => npmRun(drill, 'backup', join(drill.folder, 'one')),
      (drill) => npmRun(drill, 'restore', join(drill.folder, 'one'), '--replace'),
    ));

  describeWithKustomize('by the jobs of Kubernetes', (manifestsOf) => {
    const containersOf = (name: string) =>
      workloadsOf(manifestsOf('production')).find((workload) => workload.name === name)
        ?.containers ?? [];

    test('restores balances, keys, cursors and ids', () =>
      rehearse(
        programs,
        async (drill) => {
          const [drain, dump] = containersOf('backup');
          expect(JSON.parse(await runContainer(drill, drain))).toHaveProperty('drained_charges');
          await runContainer(drill, dump);
          expect(await readdir(drill.folder)).toEqual([expect.stringMatching(/^20[\dT-]+$/)]);
        },
        async (drill) => {
          const [check, restore, emptyRedis] = containersOf('restore');
          await runContainer(drill, check);
          await expect(withService(drill, () => runContainer(drill, check))).rejects.toThrow(
            'Stop the processes first; connected: vcds_data_api',
          );
          // With the second of its dumps cut off, a restore changes neither PostgreSQL nor Redis.
          const [good = ''] = await readdir(drill.folder);
          const broken = await cutOff(join(drill.folder, good), 'access.dump');
          await expect(runContainer(drill, restore, basename(broken))).rejects.toThrow(
            'pg_restore',
          );
          expect(
            await query(drill.server.url, "SELECT to_regnamespace('venture')::text AS v"),
          ).toEqual([{ v: null }]);
          expect(await drill.redis.get('balance')).toBe('of a later time');
          await rm(broken, { recursive: true });
          await runContainer(drill, restore);
          await runContainer(drill, emptyRedis);
        },
      ));
  });
});

/** Uses the product, backs it up, destroys and restores the stores, and compares. */
async function rehearse(programs: string, backUp: Step, restore: Step): Promise<void> {
  const [server, redis, folder, home] = await Promise.all([
    startDumpServer(programs),
    createTestRedis(),
    testFolder('vcds-backups-'),
    makeHome(),
  ]);
  const PATH = `${programs}${delimiter}${process.env.PATH}`;
  const urls = { DATABASE_URL: server.url, MIGRATION_DATABASE_URL: server.url };
  Object.assign(home.environment, { ...process.env, PATH, ...urls, REDIS_URL: redis.url });
  const client = new Redis(redis.url);
  const drill = { home, server, redis: client, folder };
  try {
    const stack = await start(home);
    const used = await use(home);
    await backUp(drill);
    await stop(stack);
    const charges = await query(server.url, CHARGES);
    expect(Number(charges[0]?.calls)).toBeGreaterThan(0);
    await query(server.url, `DROP SCHEMA ${SCHEMAS.join()} CASCADE`);
    await client.set('balance', 'of a later time');
    await restore(drill);
    expect(await client.dbsize()).toBe(0);
    expect(await query(server.url, CHARGES)).toEqual(charges);
    const restored = await start(home);
    expect(await remainingOf(home, used.key)).toBe(used.remaining);
    expect(await readBack(home, used)).toEqual(used.read);
    expect((await call(home, '/startups', used.revoked)).status).toBe(401);
    await stop(restored);
  } finally {
    await home.remove();
    await client.quit();
    await Promise.all([redis.drop(), server.close()]);
  }
}

async function start(home: StackHome) {
  const stack = home.startProgram([START, '--json', '--empty']);
  await stack.until(/"ready":true/);
  return stack;
}

/** Records, an account with a purchase, a key in use, a revoked key and a cursor. */
async function use(home: StackHome) {
  const npm = (...words: string[]) => run('npm', ['run', '-s', ...words], home.environment);
  const admin = async (...words: string[]): Promise<Record<string, string>> =>
    JSON.parse(await npm('admin', '--', ...words));
  const lines = ['one', 'two', 'three'].map((key) =>
    JSON.stringify({ op: 'upsert', type: 'startup', source: 'drill', key, Name: key }),
  );
  const file = join(await testFolder('vcds-import-'), 'records.ndjson');
  await writeFile(file, `${lines.join('\n')}\n`);
  await npm('ingest', '--', file);
  const { account_id: account = '' } = await admin('account', 'create', '--plan', 'growth');
  const { api_key: key = '' } = await admin('key', 'issue', account);
  const { api_key: revoked = '', key_id: revokedId = '' } = await admin('key', 'issue', account);
  await admin('grant', account, '500', '--operation', 'drill-1');
  await admin('revoke', revokedId);
  const { nextCursor: cursor } = await eventually(async () => {
    const { body } = await call(home, '/signals?order=asc', key);
    return body.signals?.length === 3 && body;
  });
  const read = await readBack(home, { key, cursor });
  return { key, revoked, cursor, read, remaining: await remainingOf(home, key) };
}

/** The records with their ids, and the page of the cursor. */
async function readBack(
  home: StackHome,
  { key, cursor }: { readonly key: string; readonly cursor: string },
) {
  const page = await call(home, `/signals?order=asc&cursor=${cursor}`, key);
  const records = await call(home, '/startups?$select=Id,Name&$orderby=Name', key);
  expect([page.status, records.status]).toEqual([200, 200]);
  return { page: page.body, records: records.body };
}

/** By a call that costs nothing. */
const remainingOf = async (home: StackHome, key: string): Promise<number> =>
  (await call(home, '/signals/types', key)).remaining;

async function call(home: StackHome, path: string, key: string) {
  const response = await fetch(`http://127.0.0.1:${home.environment.DATA_API_PORT}/v2${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return {
    status: response.status,
    remaining: Number(response.headers.get('x-ratelimit-remaining')),
    body: (await response.json()) as { signals?: readonly object[]; nextCursor: string },
  };
}

/** Copies a backup without the second half of one of its files. @returns the copy. */
async function cutOff(backup: string, file: string): Promise<string> {
  const copy = `${backup.slice(0, -2)}99`;
  await cp(backup, copy, { recursive: true });
  const { size } = await stat(join(copy, file));
  await truncate(join(copy, file), Math.floor(size / 2));
  return copy;
}

/** Runs a container of a job here: its program or script, with the volume as its folder. */
async function runContainer(
  drill: Drill,
  container: IContainer | undefined,
  BACKUP = '',
): Promise<string> {
  const { command = [process.execPath], args = [], env = [] } = container ?? {};
  const [program = '', ...words] = [...command, ...args];
  const { home, server, folder } = drill;
  const given: NodeJS.ProcessEnv = {
    PATH: home.environment.PATH,
    MIGRATION_DATABASE_URL: server.url,
    ACCESS_DATABASE_URL: server.url,
    REDIS_URL: home.environment.REDIS_URL,
    BACKUP,
  };
  const names = ['PATH', ...env.map(({ name }) => name)];
  const own = Object.fromEntries(names.map((name) => [name, given[name]]));
  const here = words.map((word) => word.replace(/^\/app(?=\/)/, repositoryRoot));
  return run(program, here, own, folder);
}

/** Runs `work` while a process of the product has a session. */
async function withService<T>({ server }: Drill, work: () => Promise<T>): Promise<T> {
  await query(server.url, 'ALTER ROLE vcds_data_api LOGIN');
  const url = new URL(server.url);
  url.username = 'vcds_data_api';
  const service = new pg.Client({ connectionString: url.href });
  await service.connect();
  try {
    return await work();
  } finally {
    await service.end();
  }
}

async function query(url: string, text: string): Promise<readonly Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = repositoryRoot,
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env });
  return stdout;
}

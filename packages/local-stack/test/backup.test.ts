import { execFile, spawn } from 'node:child_process';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  openGuardian,
  openSecrets,
  repositoryRoot,
  startPostgres,
  stateFolders,
} from '@vcds/local-stack';
import { applyMigrations, serviceSchemas } from '@vcds/migrate';
import {
  createTestDatabase,
  createTestRedis,
  eventually,
  freePort,
  type TestRedisDatabase,
} from '@vcds/test-kit';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  type DumpServer,
  describeWithDump,
  startDumpServer,
} from '../../../services/data-api/test/signals/support/debian-postgres.ts';
import { DUMPS, dumpSchema } from '../src/backup/dump.ts';
import { replaceFolder } from '../src/backup/replace-folder.ts';
import { runBackup } from '../src/backup/run-backup.ts';
import { runRestore } from '../src/backup/run-restore.ts';
import { assertDatabaseKept } from '../src/stack/local-state.ts';
import { product as ventureProduct } from '../src/stack/product.ts';
import { makeHome, READY, startupIds, stop } from './stack-process.ts';

const home = await makeHome();
const folder = await mkdtemp(join(tmpdir(), 'vcds-backup-'));
afterEach(() => home.stopAll());
afterAll(async () => {
  await home.remove();
  await rm(folder, { recursive: true });
});

const quiet = { update: () => undefined, done: () => undefined, fail: () => undefined };
const common = {
  environment: home.environment,
  progress: { note: () => undefined, step: () => quiet },
  product: {
    ...ventureProduct,
    adminCommand: fileURLToPath(new URL('fixtures/admin.mjs', import.meta.url)),
  },
};
const backUp = (name: string) => runBackup({ ...common, folder: join(folder, name) });
const restore = (name: string, { replace = false } = {}) =>
  runRestore({ ...common, folder: join(folder, name), replace });

describe('a backup of the embedded database', () => {
  test('made of a stopped stack is restored after everything was deleted', async () => {
    const stack = home.start();
    await stack.until(READY);
    await expect(backUp('running')).rejects.toThrow('Another stack uses this folder already');
    await stop(stack);
    await backUp('running');
    await expect(restore('running')).rejects.toThrow('has data. Add --replace');
    const manifest = JSON.parse(await readFile(join(folder, 'running/manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ method: 'files', chargesDrained: 7 });
    const before = await readFile(join(home.local, 'secrets.json'));

    await rm(stateFolders(home.environment).postgres, { recursive: true });
    await rm(home.local, { recursive: true });
    await mkdir(home.local);
    await writeFile(join(home.local, 'secrets.json'), before);
    const { counts } = await restore('running');
    const restored = home.start(['--empty']);
    await restored.until(READY);
    expect(counts).toMatchObject({ startups: 3 });
    expect(await startupIds(home)).toEqual([1, 2, 3]);
    await expect(restore('running', { replace: true })).rejects.toThrow('Another stack uses');
    await stop(restored);
  });

  test('is not written into a folder with files, nor restored into another kind of store', async () => {
    await expect(backUp('running')).rejects.toThrow('is not empty');
    const environment = { ...home.environment, DATABASE_URL: 'postgres://a@127.0.0.1:1/b' };
    const options = { ...common, environment, folder: join(folder, 'running'), replace: true };
    await expect(runRestore(options)).rejects.toThrow('Unset DATABASE_URL');
  });

  test('is not restored while a server that a killed stack has left uses the folder', async () => {
    const { postgres, redis, logs } = stateFolders(home.environment);
    const { secrets } = await openSecrets(home.local);
    const guardian = openGuardian();
    const password = secrets.postgresPassword;
    const logFile = join(logs, 'postgres.log');
    const purpose = 'durable' as const;
    const standIn = spawn(process.execPath, [
      ...['-e', 'setInterval(() => {}, 1_000)', '--', 'redis-server'],
      join(redis, 'redis.conf'),
    ]);
    try {
      const restoring = () => restore('running', { replace: true });
      // The second one is that of a restore.
      for (const parent of [postgres, join(postgres, 'restore')]) {
        const server = { folder: parent, port: await freePort(), password, purpose, logFile };
        const { pid, url, stop } = await startPostgres({ ...server, guardian });
        await expect(restoring()).rejects.toThrow(
          `PostgreSQL (process ${pid}) still uses ${parent}/data: its stack was killed. ` +
            `Stop it (kill -s INT ${pid}), then repeat the restore.`,
        );
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
        await client.end();
        await stop();
        expect(await readdir(join(parent, 'data'))).toContain('PG_VERSION');
      }
      await writeFile(join(redis, 'redis.pid'), `${standIn.pid}\n`);
      await expect(restoring()).rejects.toThrow(`Redis (process ${standIn.pid}) still uses`);
    } finally {
      standIn.kill('SIGKILL');
      await guardian.close();
    }
    await rm(join(redis, 'redis.pid'));
  });

  test('is put back where a killed restore has moved it, before a start or another restore', async () => {
    const folders = stateFolders(home.environment);
    const at = (name: string) => join(folders.postgres, name);
    const contents = async () => [
      ...(await readdir(folders.postgres)).filter((name) => name !== 'restore'),
      ...(await readdir(at('data'))),
    ];
    const before = await contents();
    for (const initdb of ['none', 'interrupted']) {
      await rename(at('data'), at('replaced'));
      if (initdb === 'interrupted') await mkdir(at('data/base'), { recursive: true });
      await assertDatabaseKept(folders);
      expect(await contents()).toEqual(before);
    }
    await rename(at('data'), at('replaced'));
    await expect(restore('running')).rejects.toThrow('has data. Add --replace');
    expect(await contents()).toEqual(before);
  });

  test('that was damaged is rejected, and the existing database stays', async () => {
    await appendFile(join(folder, 'running/postgres/global/pg_control'), 'x');
    const again = () => restore('running', { replace: true });
    await expect(again()).rejects.toThrow('damaged: postgres/global/pg_control was changed.');
    const list = join(folder, 'running/checksums.sha256');
    await appendFile(list, `${'0'.repeat(64)}  ../outside\n`);
    await expect(again()).rejects.toThrow('does not match');
    const { postgres } = stateFolders(home.environment);
    expect(await readdir(postgres)).toEqual(['data']);
    await rm(join(folder, 'running/manifest.json'));
    await expect(again()).rejects.toThrow('not a complete backup');
  });
});

test('the folder that a restore replaces is in its place again if the new one cannot be moved', async () => {
  const at = (name: string) => join(folder, 'replace', name);
  const replace = () => replaceFolder(at('draft'), at('data'), at('aside'));
  const contents = async () => {
    const names = await readdir(at(''));
    return Promise.all(names.sort().map(async (name) => [name, ...(await readdir(at(name)))]));
  };
  await mkdir(at('data/existing'), { recursive: true });
  await expect(replace()).rejects.toThrow('ENOENT');
  expect(await contents()).toEqual([['data', 'existing']]);
  await mkdir(at('draft/restored'), { recursive: true });
  await mkdir(at('aside/earlier'), { recursive: true });
  await replace();
  expect(await contents()).toEqual([['data', 'restored']]);
});

describe('a backup of an external database', () => {
  const { PATH } = process.env;
  const programs = join(folder, 'programs');
  /** Puts a shell script in the place of a program, until the end of the test. */
  const standIn = async (program: string, script: string) => {
    await writeFile(join(programs, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    process.env.PATH = programs;
  };
  beforeAll(() => mkdir(programs));
  afterEach(() => {
    process.env.PATH = PATH;
  });

  test('needs pg_dump, not older than the server', async () => {
    const database = await createTestDatabase();
    const environment = { ...home.environment, DATABASE_URL: database.url };
    const backup = (name: string) =>
      runBackup({ ...common, environment, folder: join(folder, name) });
    process.env.PATH = programs;
    await expect(backup('none')).rejects.toThrow(
      /^pg_dump is not on PATH\. Install the client programs of PostgreSQL \d+ \(Debian: postgresql-client-\d+\)\.$/,
    );
    await standIn('pg_dump', 'echo "pg_dump (PostgreSQL) 9.6.24"');
    await expect(backup('old')).rejects.toThrow(/^pg_dump has version 9, older than the server/);
    await database.drop();
  });

  test('is readable only by its owner, also in a folder that others can read', async () => {
    const target = join(folder, 'volume');
    await mkdir(target, { mode: 0o755 });
    // The third argument is --file=….
    await standIn('pg_dump', 'IFS==; set -- $3; : > "$2"');
    for (const dump of DUMPS) {
      await dumpSchema('postgres://owner:secret@127.0.0.1/db', dump, target, 'snapshot');
      expect((await stat(join(target, dump.file))).mode & 0o077).toBe(0);
    }
  });

  test('uses the password of the URL, else that of the environment', async () => {
    const target = join(folder, 'passwords');
    await mkdir(target);
    await standIn('pg_dump', 'IFS==; set -- $3; printf %s "$PGPASSWORD" > "$2"');
    const dump = { schema: 'access', file: 'access.dump', schemas: ['access'], extensions: [] };
    const { PGPASSWORD } = process.env;
    process.env.PGPASSWORD = 'of the environment';
    const passwordFor = async (user: string) => {
      await rm(join(target, 'access.dump'), { force: true });
      await dumpSchema(`postgres://${user}@127.0.0.1/db`, dump, target, 'snapshot');
      return readFile(join(target, 'access.dump'), 'utf8');
    };
    try {
      expect(await passwordFor('owner')).toBe('of the environment');
      expect(await passwordFor('owner:of%20the%20URL')).toBe('of the URL');
    } finally {
      if (PGPASSWORD === undefined) delete process.env.PGPASSWORD;
      else process.env.PGPASSWORD = PGPASSWORD;
    }
  });
});

describeWithDump('a restore of an external database', (programs) => {
  const { PATH } = process.env;
  const tools = join(folder, 'tools');
  let server: DumpServer;
  let redis: TestRedisDatabase;
  let environment: NodeJS.ProcessEnv;
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
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
      environment,
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
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'vcds-restore'`,
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
    await runBackup({ ...common, environment, folder: join(folder, 'external') });
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
      await expect(restored()).rejects.toThrow(
        `Stop the services first; these are connected: ${name || user}.`,
      );
      await service.end();
    }
    expect(await state()).toEqual(LATER);
  });

  test.each([
    ['the end of pg_restore', 'exit 1', /^pg_restore failed/],
    ['a statement that fails', 'echo "SELECT 1 / 0;"', /^psql failed: .*division by zero/],
    [
      'rows that are missing',
      'echo "SET session_replication_role = replica; DELETE FROM venture.startup;"',
      /^The restored database is incomplete: startups 0 of 1\.$/,
    ],
    [
      'migrations of a later version',
      `echo "INSERT INTO access._prisma_migrations (id, checksum, migration_name, finished_at)
        VALUES ('x', '', '9999_later', now());"`,
      /^The backup is of a later version, which has 9999_later\./,
    ],
    [
      'migrations with another text',
      `echo "UPDATE access._prisma_migrations SET checksum = '0';"`,
      /schema access was made from another text of /,
    ],
  ])('that fails by %s changes neither PostgreSQL nor Redis', async (_, command, message) => {
    await thenPgRestore(command);
    await expect(restored()).rejects.toThrow(message);
    expect(await state()).toEqual(LATER);
  });

  test('whose connection is lost changes nothing', async () => {
    await thenPgRestore(WAIT);
    const failure = restored().catch((error: Error) => error.message);
    const { pid, ended } = await untilLoading();
    await query(`SELECT pg_terminate_backend(${pid})`);
    await ended();
    expect(await failure).toMatch(/psql failed: .*(terminating connection|closed the connection)/s);
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
    const { counts } = await restored();
    expect(counts).toMatchObject({ startups: 1, accounts: 0 });
    expect(await state()).toEqual({ startups: ['at the backup'], accounts: 0, redis: 0 });
    const [granted] = await query(
      `SELECT has_table_privilege('vcds_data_api', 'venture.startup', 'SELECT') AS reads`,
    );
    expect(granted).toEqual({ reads: true });
  });
});

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openGuardian, openSecrets, startPostgres, stateFolders } from '@vcds/local-stack';
import { freePort } from '@vcds/test-kit';
import pg from 'pg';
import { replaceFolder } from '../src/backup/replace-folder.ts';
import { runBackup } from '../src/backup/run-backup.ts';
import { runRestore } from '../src/backup/run-restore.ts';
import { assertDatabaseKept } from '../src/stack/local-state.ts';
import { backupOptions } from './backup-options.ts';
import { makeHome, READY, startupIds, stop } from './stack-process.ts';

const home = await makeHome();
const folder = await mkdtemp(join(tmpdir(), 'vcds-backup-'));
afterEach(() => home.stopAll());
afterAll(async () => {
  await home.remove();
  await rm(folder, { recursive: true });
});

const common = backupOptions(home.environment);
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
    const before = await readFile(join(home.local, 'secrets.json'));

    await rm(stateFolders(home.environment).postgres, { recursive: true });
    await rm(home.local, { recursive: true });
    await mkdir(home.local);
    await writeFile(join(home.local, 'secrets.json'), before);
    await restore('running');
    const restored = home.start(['--empty']);
    await restored.until(READY);
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
    await appendFile(join(folder, 'running/postgres.tar'), 'x');
    const again = () => restore('running', { replace: true });
    await expect(again()).rejects.toThrow('damaged: postgres.tar was changed.');
    const { postgres } = stateFolders(home.environment);
    expect(await readdir(postgres)).toEqual(['data']);
    await rm(join(folder, 'running/checksums.sha256'));
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
  const url = 'postgres://owner@127.0.0.1:1/db';
  const backup = (name: string, DATABASE_URL = url) =>
    runBackup({
      ...common,
      environment: { ...process.env, ...home.environment, PATH: process.env.PATH, DATABASE_URL },
      folder: join(folder, name),
    });
  /** A pg_dump that writes its password to its file. */
  const PG_DUMP = `for word in "$@"; do case $word in --file=*) file=\${word#--file=};; esac; done
    printf %s "\${PGPASSWORD:-$(cat "\${PGPASSFILE:-/dev/null}")}" > "$file"`;
  beforeAll(async () => {
    await mkdir(programs);
    for (const name of ['bash', 'mkdir', 'mv', 'cat', 'sha256sum'])
      await symlink(`/bin/${name}`, join(programs, name));
  });
  beforeEach(() => {
    process.env.PATH = programs;
  });
  afterEach(() => {
    process.env.PATH = PATH;
  });

  test('needs the client programs of PostgreSQL, and leaves no folder that looks complete', async () => {
    await expect(backup('none')).rejects.toThrow(
      /pg_dump: command not found\nInstall .*client programs of PostgreSQL/s,
    );
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  test('is readable only by its owner, and no argument of a process has the password: that of the URL, else of the environment', async () => {
    for (const [name, script] of [
      ['pg_dump', PG_DUMP],
      ['pg_restore', ':'],
    ]) {
      const text = `#!/bin/bash\n${script}\n`;
      await writeFile(join(programs, name ?? ''), text, { mode: 0o755 });
    }
    const passwordFor = async (name: string, user: string) => {
      await backup(name, `postgres://${user}@127.0.0.1:1/db`);
      const dump = join(folder, name, 'access.dump');
      expect((await stat(dump)).mode & 0o077).toBe(0);
      return readFile(dump, 'utf8');
    };
    process.env.PGPASSWORD = 'of the environment';
    try {
      expect(await passwordFor('first', 'owner')).toBe('of the environment');
      const line = '127.0.0.1:1:db:owner:of the\\: URL\n';
      expect(await passwordFor('second', 'owner:of%20the%3A%20URL')).toBe(line.repeat(2).trimEnd());
    } finally {
      delete process.env.PGPASSWORD;
    }
  });
});

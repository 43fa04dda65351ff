import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  assertOwnFolder,
  findRedis,
  freePort,
  openGuardian,
  openSecrets,
  repositoryRoot,
  startRedis,
  stateFolders,
  wipe,
} from '@vcds/local-stack';
import { eventually, testFolder } from '@vcds/test-kit';

let folder: string;

beforeEach(async () => {
  folder = await testFolder('vcds-fresh-');
});

test('an empty LOCAL_DIR or MAIL_DIR counts as not set', () => {
  const folders = stateFolders({ LOCAL_DIR: '', MAIL_DIR: '' });
  expect(folders.local).toBe(join(repositoryRoot, '.local'));
  expect(folders.mail).toBe(join(repositoryRoot, '.local/mail'));
});

test('downloaded programs are shared by every LOCAL_DIR, in node_modules', () => {
  const [one, other] = [folder, join(folder, 'other')].map((LOCAL_DIR) =>
    stateFolders({ LOCAL_DIR }),
  );
  expect(one?.tools).toBe(other?.tools);
  expect(one?.tools).toBe(join(repositoryRoot, 'node_modules/.cache/vcds'));
});

describe('a start', () => {
  const start = () => assertOwnFolder(stateFolders({ LOCAL_DIR: folder }));

  test.each(['postgres', 'redis', 'mail', 'logs'])(
    'rejects a %s that it did not create',
    async (name) => {
      await mkdir(join(folder, name));
      await expect(start()).rejects.toThrow(`${folder} contains ${name} without secrets.json`);
      await writeFile(join(folder, 'secrets.json'), '{}');
      await start();
    },
  );

  test('ignores other files', async () => {
    await writeFile(join(folder, 'thesis.odt'), '');
    await start();
  });
});

describe('a fresh start', () => {
  /** A process with the command line of a server. */
  const standIn = (...words: string[]) =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)', '--', ...words]);

  test('deletes the files of the stack and no others', async () => {
    const others = ['.ssh', 'thesis', 'thesis.odt', 'package.json'];
    const kept = ['stack.pid'];
    const created = ['demo-key', 'demo.json', 'logs', 'mail', 'postgres', 'redis', 'secrets.json'];
    for (const name of [...others, ...kept, ...created]) {
      if (/\.|demo-key/.test(name.slice(1))) await writeFile(join(folder, name), '');
      else await mkdir(join(folder, name));
    }
    await writeFile(join(folder, 'thesis', 'chapter'), '');
    await wipe(stateFolders({ LOCAL_DIR: folder }));
    expect((await readdir(folder)).sort()).toEqual([...others, ...kept].sort());
    expect(await readdir(join(folder, 'thesis'))).toEqual(['chapter']);
  });

  test('stops the Redis that a killed stack has left, and no other program with its process id', async () => {
    const folders = stateFolders({ LOCAL_DIR: folder });
    const configuration = join(folders.redis, 'redis.conf');
    const redis = standIn('redis-server', configuration);
    const other = standIn('redis-server', `${folder}/other.conf`);
    try {
      for (const { pid } of [redis, other]) {
        await mkdir(folders.redis);
        await writeFile(join(folders.redis, 'redis.pid'), `${pid}\n`);
        await wipe(folders);
      }
      await eventually(() => redis.signalCode !== null);
      expect(redis.signalCode).toBe('SIGTERM');
      expect(other.signalCode).toBeNull();
    } finally {
      for (const child of [redis, other]) child.kill('SIGKILL');
    }
  });

  test('stops the Redis that a killed stack has left, also if its paths are too long for its title', async () => {
    const { tools } = stateFolders({});
    const announce = () => undefined;
    const program = await findRedis({ environment: process.env, tools, announce });
    const guardian = openGuardian();
    const start = async (local: string) => {
      const folders = stateFolders({ LOCAL_DIR: local });
      const [port, logFile] = [await freePort(), join(folders.logs, 'redis.log')];
      const options = { program, folder: folders.redis, port, logFile, guardian };
      return { folders, server: await startRedis({ ...options, purpose: 'durable' }) };
    };
    const path = join(folder, 'd'.repeat(199 - folder.length));
    try {
      const { folders, server } = await start(path);
      const { server: other } = await start(`${path}e`);
      await wipe(folders);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(other.isRunning()).toBe(true);
      await start(`${path}e`);
      expect(await other.ended).toEqual({ code: 0, signal: null });
    } finally {
      await guardian.close();
    }
  });

  test.each(['postgres', 'outside'])(
    'stops the PostgreSQL that a killed stack has left in %s',
    async (name) => {
      // Root's database is outside the local folder, that of other users inside.
      const outside = await testFolder('vcds-fresh-');
      const postgres = join(name === 'outside' ? outside : folder, name);
      const folders = { ...stateFolders({ LOCAL_DIR: folder }), postgres };
      const data = join(postgres, 'data');
      const server = standIn('postgres', '-D', data);
      try {
        await mkdir(data, { recursive: true });
        await writeFile(join(data, 'postmaster.pid'), `${server.pid}\n${data}\n`);
        await wipe(folders);
        await eventually(() => server.signalCode !== null);
        expect(server.signalCode).toBe('SIGINT');
        expect(existsSync(postgres)).toBe(false);
      } finally {
        server.kill('SIGKILL');
      }
    },
  );
});

describe('the secrets of a local folder', () => {
  test('are created once, all different, and kept', async () => {
    const first = await openSecrets(folder);
    expect(first.isNew).toBe(true);
    expect(new Set(Object.values(first.secrets)).size).toBe(6);
    expect(await openSecrets(folder)).toEqual({ secrets: first.secrets, isNew: false });
  });

  test('are readable only by their owner', async () => {
    await openSecrets(folder);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  test('keep the existing ones when a new version adds one', async () => {
    const stored = { postgresPassword: 'a', redisPassword: 'b', serviceTokenSecret: 'c' };
    await writeFile(join(folder, 'secrets.json'), JSON.stringify(stored));
    const { secrets, isNew } = await openSecrets(folder);
    expect(isNew).toBe(false);
    expect(secrets).toMatchObject(stored);
    expect(secrets.codeSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))).toEqual(secrets);
  });
});

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { refuseStrangers, repositoryRoot, stateFolders, wipe } from '@vcds/local-stack';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vcds-fresh-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

test('an empty LOCAL_DIR or MAIL_DIR counts as not set', () => {
  const folders = stateFolders({ LOCAL_DIR: '', MAIL_DIR: '' });
  expect(folders.local).toBe(join(repositoryRoot, '.local'));
  expect(folders.mail).toBe(join(repositoryRoot, '.local/mail'));
});

test('downloaded programs are found from every LOCAL_DIR, beside the installed packages', () => {
  const [one, other] = [folder, join(folder, 'other')].map((LOCAL_DIR) =>
    stateFolders({ LOCAL_DIR }),
  );
  expect(one?.tools).toBe(other?.tools);
  expect(one?.tools).toBe(join(repositoryRoot, 'node_modules/.cache/vcds'));
});

describe('a start', () => {
  const start = () => refuseStrangers(stateFolders({ LOCAL_DIR: folder }));

  test.each(['postgres', 'redis', 'mail', 'logs'])(
    'takes no %s for its own that it did not make',
    async (name) => {
      await mkdir(join(folder, name));
      await expect(start()).rejects.toThrow(`${folder} holds ${name} without the secrets.json`);
      await writeFile(join(folder, 'secrets.json'), '{}');
      await start();
    },
  );

  test('lets be what it has no use for', async () => {
    await writeFile(join(folder, 'thesis.odt'), '');
    await start();
  });
});

describe('a fresh start', () => {
  test('forgets what the stack made and nothing else in the folder', async () => {
    const strangers = ['.ssh', 'thesis', 'thesis.odt', 'package.json'];
    const kept = ['stack.pid'];
    const made = ['demo-key', 'demo.json', 'logs', 'mail', 'postgres', 'redis', 'secrets.json'];
    for (const name of [...strangers, ...kept, ...made]) {
      if (/\.|demo-key/.test(name.slice(1))) await writeFile(join(folder, name), '');
      else await mkdir(join(folder, name));
    }
    await writeFile(join(folder, 'thesis', 'chapter'), '');
    await wipe(stateFolders({ LOCAL_DIR: folder }));
    expect((await readdir(folder)).sort()).toEqual([...strangers, ...kept].sort());
    expect(await readdir(join(folder, 'thesis'))).toEqual(['chapter']);
  });
});

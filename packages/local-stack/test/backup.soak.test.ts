import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { repositoryRoot, stateFolders } from '@vcds/local-stack';
import { eventually } from '../../test-kit/src/eventually.ts';
import { makeHome, stop } from './stack-process.ts';

const home = await makeHome();
const keep = `${home.local}-keep`;
const backup = join(keep, 'backup');
afterAll(async () => {
  await home.remove();
  await rm(keep, { recursive: true, force: true });
});

const START = join(repositoryRoot, 'packages/local-stack/bin/start.mjs');
const KEPT = ['secrets.json', 'legacy-signing-key.pem'];

async function start() {
  const stack = home.startProgram([START, '--json', '--empty']);
  await stack.until(/"ready":true/);
  return stack;
}

async function npm(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', script, '--', ...args], {
    cwd: repositoryRoot,
    env: { ...process.env, ...home.environment },
  });
  return stdout;
}

const admin = async (...words: string[]): Promise<Record<string, string>> =>
  JSON.parse(await npm('admin', ...words));

/** Imports startups, one per key. */
async function ingest(...keys: string[]): Promise<void> {
  const lines = keys.map((key) =>
    JSON.stringify({ op: 'upsert', type: 'startup', source: 'drill', key, Name: `Startup ${key}` }),
  );
  const file = join(keep, 'records.ndjson');
  await writeFile(file, `${lines.join('\n')}\n`);
  await npm('ingest', file);
}

interface Feed {
  readonly signals: readonly object[];
  readonly nextCursor: string;
}

async function call(path: string, key: string) {
  const port = home.environment.DATA_API_PORT;
  const response = await fetch(`http://127.0.0.1:${port}/v2${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return {
    status: response.status,
    remaining: Number(response.headers.get('x-ratelimit-remaining')),
    body: (await response.json()) as Feed,
  };
}

const namesAndIds = async (key: string) =>
  (await call('/startups?$select=Id,Name&$orderby=Name', key)).body;

test('after a restore, balances, keys, revocations, cursors and ids are those of the backup', async () => {
  await mkdir(keep, { recursive: true });
  let stack = await start();
  await ingest('one', 'two', 'three');
  const { account_id: account = '' } = await admin('account', 'create', '--plan', 'growth');
  const { api_key: valid = '' } = await admin('key', 'issue', account);
  const { api_key: revoked = '', key_id: revokedId = '' } = await admin('key', 'issue', account);
  await admin('grant', account, '500', '--operation', 'drill-1');
  await admin('revoke', revokedId);
  const feed = await eventually(async () => {
    const page = await call('/signals?order=asc', valid);
    return page.body.signals.length === 3 && page;
  });
  const records = await namesAndIds(valid);
  const { remaining } = await call('/signals/types', valid);
  expect(remaining).toBeLessThan(100_500);
  await stop(stack);
  await npm('backup', backup);
  stack = await start();

  const { api_key: later = '' } = await admin('key', 'issue', account);
  await namesAndIds(later);
  await stop(stack);
  for (const name of KEPT) await copyFile(join(home.local, name), join(keep, name));
  await rm(stateFolders(home.environment).postgres, { recursive: true, force: true });
  await rm(home.local, { recursive: true });
  await mkdir(home.local);
  for (const name of KEPT) await copyFile(join(keep, name), join(home.local, name));
  await npm('restore', backup);

  stack = await start();
  expect((await call('/signals/types', valid)).remaining).toBe(remaining);
  expect((await call('/startups', revoked)).status).toBe(401);
  expect((await call('/startups', later)).status).toBe(401);
  expect(await namesAndIds(valid)).toEqual(records);
  const cursor = `/signals?order=asc&cursor=${feed.body.nextCursor}`;
  expect((await call(cursor, valid)).body.signals).toEqual([]);
  await ingest('four');
  const next = await eventually(async () => {
    const { body } = await call(cursor, valid);
    return body.signals.length > 0 && body;
  });
  expect(next.signals).toHaveLength(1);
  await stop(stack);

  // A second backup, of the stopped stack, restores over the existing data.
  await npm('backup', join(keep, 'stopped'));
  await npm('restore', join(keep, 'stopped'), '--replace');
  stack = await start();
  expect((await call(cursor, valid)).body.signals).toEqual(next.signals);
  await stop(stack);
});

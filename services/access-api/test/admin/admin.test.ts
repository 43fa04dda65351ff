// Tests docs/spec/authentication.md 2.6.
// Tests docs/spec/plans.md 13.5.
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { digestOf, generateApiKey, KEY_CHANGES_STREAM } from '@vcds/credentials';
import { freePort, testFolder } from '@vcds/test-kit';
import { DEMO_ACCOUNT_ID } from '../../src/admin/demo-key.ts';
import { openAccess } from '../access.ts';
import { adminOf, type RunOptions } from './admin.ts';

const CLI = fileURLToPath(new URL('../../dist/admin/cli.js', import.meta.url));

const access = await openAccess();
const localDir = await testFolder('vcds-admin-');
const admin = (words: string, options: RunOptions = {}) =>
  adminOf(access, words, { localDir, ...options });

/** A command that must succeed; its one line of JSON. */
async function done(words: string, input = '') {
  const { status, out, err } = await admin(words, { input });
  expect({ status, err: words === 'rebuild' ? '' : err }).toEqual({ status: 0, err: '' });
  expect(out).not.toContain('\n');
  return JSON.parse(out);
}

const check = (apiKey: string) =>
  access.guard.check(digestOf(apiKey as ReturnType<typeof generateApiKey>));

describe('npm run admin', () => {
  test('makes an account, puts it on a plan, issues, shows and revokes keys', async () => {
    const { account_id } = await done('account create --email Ada@Example.com --name Ada');
    await done('plan ada@example.com growth');
    const issued = await done(`key issue ${account_id} --scopes news,signals --expires-in-days 30`);
    expect(issued.api_key).toMatch(/^pk_live_/);
    expect(issued.expires_at).toBe('2025-02-14T12:00:00.000Z');
    expect(await check(issued.api_key)).toMatchObject({
      principal: { plan: 'growth', scopes: new Set(['news', 'signals']) },
    });
    const shown = await done('account show ADA@example.com');
    expect(shown).toMatchObject({ account_id, plan: 'growth', name: 'Ada' });
    expect(shown.keys).toHaveLength(1);
    expect(JSON.stringify(shown)).not.toContain(issued.api_key);
    expect(await done(`key revoke ${issued.key_id}`)).toEqual({
      key_id: issued.key_id,
      revoked: true,
    });
    expect(await check(issued.api_key)).toEqual({ rejected: 'revoked' });
  });

  test('compares addresses in canonical form, as registration does', async () => {
    const { account_id } = await done('account create --email Ada@BÜCHER.example');
    for (const address of ['ada@bücher.example', 'ADA@xn--bcher-kva.example']) {
      const shown = await done(`account show ${address}`);
      expect(shown).toMatchObject({ account_id, email: 'ada@xn--bcher-kva.example' });
      const again = await admin(`account create --email ${address}`);
      expect(again.status).toBe(1);
    }
  });

  test('revokes a leaked key given on standard input, so that it is in no process list', async () => {
    const { account_id } = await done('account create');
    const { api_key, key_id } = await done(`key issue ${account_id} --label leaked`);
    expect((await done('revoke -', `${api_key}\n`)).key_id).toBe(key_id);
    expect(await check(api_key)).toEqual({ rejected: 'revoked' });
  });

  test('sets and removes the monthly limit of a key', async () => {
    const { account_id } = await done('account create');
    const { api_key, key_id } = await done(`key issue ${account_id} --monthly-limit 100`);
    const limit = async () => {
      const found = await check(api_key);
      return 'rejected' in found ? found.rejected : found.principal.creditLimit;
    };
    expect(await limit()).toBe(100);
    await done(`key limit ${key_id} 250`);
    expect(await limit()).toBe(250);
    expect((await done(`account show ${account_id}`)).keys).toMatchObject([{ monthly_limit: 250 }]);
    expect(await done(`key limit ${key_id} none`)).toEqual({ key_id, monthly_limit: null });
    expect(await limit()).toBeNull();
    await done(`key revoke ${key_id}`);
    expect(await admin(`key limit ${key_id} 5`)).toMatchObject({ status: 1 });
  });

  test('notifies data-api of a revocation and of a new plan', async () => {
    const { account_id } = await done('account create');
    const { api_key, key_id } = await done(`key issue ${account_id}`);
    const [last] = await access.redis.xrevrange(KEY_CHANGES_STREAM, '+', '-', 'COUNT', 1);
    await done(`plan ${account_id} starter`);
    await done(`key revoke ${key_id.toUpperCase()}`);
    const news = await access.redis.xrange(KEY_CHANGES_STREAM, `(${last?.[0] ?? '0'}`, '+');
    expect(news.map(([, fields]) => fields)).toEqual([
      ['digest', digestOf(api_key)],
      ['digest', digestOf(api_key)],
    ]);
  });

  test('rebuilds Redis, showing how far it has come', async () => {
    const { account_id } = await done('account create --plan scale');
    const { api_key } = await done(`key issue ${account_id}`);
    await access.redis.flushdb();
    const { status, out, err } = await admin('rebuild');
    expect(status).toBe(0);
    expect(JSON.parse(out).keys).toBeGreaterThan(0);
    expect(err).toContain('rebuilt 256 of 256 buckets');
    expect(await check(api_key)).toHaveProperty('principal');
  });

  test.each([
    ['', 2, 'Usage: npm run admin -- '],
    ['account', 2, 'Usage: npm run admin -- account '],
    ['nonsense', 2, "Unknown command 'nonsense'."],
    ['acount show x', 2, "Unknown command 'acount'. Did you mean account?"],
    ['account shwo x', 2, "Unknown command 'shwo'. Did you mean show?"],
    ['account list --limti 5', 2, "Unknown option '--limti'. Did you mean --limit?"],
    ['plan', 2, "Missing required argument 'account'."],
    ['plan x gold', 2, "'gold' is invalid for argument 'plan'. Plans are free, starter,"],
    ['plan x@example.com free', 1, "Account 'x@example.com' does not exist."],
    ['account create --email nonsense', 2, 'It is not an email address.'],
    ['account create --email x@y', 2, "argument 'x@y' is invalid. It is not an email address."],
    ['account create --colour red', 2, "Unknown option '--colour'."],
    ['account create extra', 2, "Unexpected argument 'extra'."],
    ['account show', 2, "Missing required argument 'account'."],
    [`key issue ${DEMO_ACCOUNT_ID.replace('7f', '00')}`, 1, 'does not exist.'],
    ['key issue x --scopes new', 2, "Unknown scope 'new'; did you mean news?"],
    ['key issue x --expires-in-days 0', 2, 'from 1 to 3650'],
    ['key revoke abc', 2, 'is not a key id'],
    ['key limit abc 5', 2, 'It is not an id.'],
    [`key limit ${DEMO_ACCOUNT_ID} 0`, 2, 'from 1 to 1000000000'],
    [`key limit ${DEMO_ACCOUNT_ID} 5`, 1, 'No key has the id'],
    ['grant x --operation a', 2, "Missing required argument 'credits'."],
    ['grant x 0 --operation a', 2, 'It must be a whole number from 1 to'],
    ['grant x 1.5 --operation a', 2, 'It must be a whole number from 1 to'],
    ['grant x 1e3 --operation a', 2, 'It must be a whole number from 1 to'],
    ['grant x -5 --operation a', 2, 'It must be a whole number from 1 to'],
    ['grant x 5', 2, "Required option '--operation <id>' not specified."],
    ['grant x 5 --operation ä', 2, 'It must be 1 to 100 visible ASCII characters.'],
    ['grant x@example.com 5 --operation a', 1, "Account 'x@example.com' does not exist."],
    ['account list --limit 1001', 2, 'It must be a whole number from 1 to 1000.'],
    ['account list --after abc', 2, 'It is not an id.'],
    ['account list --plan gold', 2, 'Plans are free, starter,'],
    ['account revoke x@example.com', 1, 'does not exist.'],
    ['account password x@example.com', 1, 'does not exist.'],
    ['account remove-password', 2, "Missing required argument 'account'."],
    ['key revoke -', 2, 'Standard input contains no well-formed key.'],
    ['key revoke 00000000-0000-4000-8000-000000000000', 1, 'No key has the id'],
  ])('%s: status %i and a sentence', async (words, status, sentence) => {
    const run = await admin(words);
    expect(run.status).toBe(status);
    expect(run.err).toContain(sentence);
  });

  test('revoke rejects a key that no account has', async () => {
    const { status, err } = await admin('revoke -', { input: generateApiKey() });
    expect({ status, err }).toEqual({ status: 2, err: 'No account has that key.' });
  });

  test.each([
    ['help', ['account', 'key', 'revoke <', 'rebuild', 'demo-key', 'plan <', 'grant ', 'charge <']],
    ['help account', ['create', 'list', 'show', 'charges', 'password', 'remove-', 'revoke']],
    ['key --help', ['issue', 'limit', 'revoke']],
  ])('%s lists each command once', async (words, commands) => {
    const { status, out } = await admin(words);
    expect(status).toBe(0);
    for (const command of commands) expect(out.split(`\n  ${command}`)).toHaveLength(2);
  });

  test('--help after a command, or help before it, is about that command alone', async () => {
    for (const words of ['grant --help', 'help grant', 'grant x 5 -h']) {
      const { status, out } = await admin(words);
      expect(status).toBe(0);
      expect(out).toMatch(/^Usage: npm run admin -- grant \[options\] <account> <credits>/);
      expect(out).not.toContain('rebuild');
    }
  });

  test('a terminal is shown text, and JSON when it asks for it', async () => {
    const { account_id } = await done('account create --name Grace --plan starter');
    await done(`key issue ${account_id} --label one --scopes news,people`);
    const words = `account show ${account_id}`;
    const text = (await admin(words, { isInteractive: true })).out;
    expect(text).toContain(`account id: ${account_id}`);
    expect(text).toContain('email: -');
    expect(text).toMatch(/^keys:\n {2}key id +hint +label +origin +scopes/m);
    expect(text).toMatch(/pk_live_\S+ +one +operator +news, people/);
    const json = (await admin(`${words} --json`, { isInteractive: true })).out;
    expect(JSON.parse(json)).toEqual(await done(words));
  });

  test('runs as a program, with its exit status, output and errors', async () => {
    const run = (words: readonly string[]) =>
      promisify(execFile)(process.execPath, [CLI, ...words], {
        env: { DATABASE_URL: access.databaseUrl, REDIS_URL: access.redisUrl },
      });
    const { stdout } = await run(['account', 'create', '--plan', 'growth']);
    expect(JSON.parse(stdout)).toMatchObject({ plan: 'growth' });
    await expect(run(['grnt'])).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: "Unknown command 'grnt'. Did you mean grant?\n",
    });
  });

  test('empties Redis only when that is confirmed', async () => {
    const { account_id } = await done('account create');
    const { api_key } = await done(`key issue ${account_id}`);
    expect(await admin('empty-redis')).toMatchObject({ status: 2 });
    expect(await access.redis.dbsize()).toBeGreaterThan(0);
    expect(await done('empty-redis --yes')).toEqual({ emptied: true });
    expect(await access.redis.dbsize()).toBe(0);
    await done('rebuild');
    expect(await check(api_key)).toMatchObject({ principal: { accountId: account_id } });
  });

  test('names every variable that is wrong, and a Redis that is not there', async () => {
    const run = (words: string, environment: NodeJS.ProcessEnv) => admin(words, { environment });
    const wrong = await run('rebuild', { DATABASE_URL: 'mysql://x', REDIS_URL: '' });
    expect(wrong.status).toBe(1);
    expect(wrong.err).toMatch(/DATABASE_URL must be .*\nREDIS_URL is not set/);
    expect((await run('rebuild', { DATABASE_URL: '' })).err).toContain('DATABASE_URL is not set');
    const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
    const gone = await run('account create', { REDIS_URL });
    expect(gone).toMatchObject({ status: 1, out: '' });
    expect(gone.err).toContain('Redis is not reachable');
    // A backup is made in any case.
    expect(await run('drain', { REDIS_URL })).toEqual(gone);
    expect(await run('drain --optional', { REDIS_URL })).toEqual({ ...gone, status: 0 });
    expect((await run('drain --optional', { REDIS_URL: '' })).status).toBe(1);
  });
});

describe('demo-key', () => {
  test('gives one key on the top plan, the same at every start, in a file only the owner reads', async () => {
    const { api_key } = await done('demo-key');
    expect(await check(api_key)).toMatchObject({
      principal: {
        accountId: DEMO_ACCOUNT_ID,
        plan: 'scale',
        scopes: null,
        expiresAt: null,
        creditLimit: null,
      },
    });
    const path = join(localDir, 'demo-key');
    expect((await readFile(path, 'utf8')).trim()).toBe(api_key);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await done('demo-key')).toEqual({ api_key });
  });

  test('gives a new one when the old is revoked, damaged or of another database', async () => {
    const first = (await done('demo-key')).api_key;
    await done('revoke -', first);
    const second = (await done('demo-key')).api_key;
    expect(second).not.toBe(first);
    await writeFile(join(localDir, 'demo-key'), 'damaged');
    const third = (await done('demo-key')).api_key;
    expect(third).not.toBe(second);
    await writeFile(join(localDir, 'demo-key'), generateApiKey());
    expect((await done('demo-key')).api_key).not.toBe(third);
  });

  test('puts the demonstration account back on the top plan', async () => {
    const { api_key } = await done('demo-key');
    await done(`plan ${DEMO_ACCOUNT_ID} free`);
    expect(await done('demo-key')).toEqual({ api_key });
    expect(await check(api_key)).toMatchObject({ principal: { plan: 'scale' } });
  });

  test('LOCAL_DIR says where the file is', async () => {
    const elsewhere = join(localDir, 'deep', 'er');
    const { out } = await admin('demo-key', { environment: { LOCAL_DIR: elsewhere } });
    expect((await readFile(join(elsewhere, 'demo-key'), 'utf8')).trim()).toBe(
      JSON.parse(out).api_key,
    );
  });
});

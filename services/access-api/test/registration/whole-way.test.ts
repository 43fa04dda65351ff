import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  createTestRedis,
  freePort,
  type TestDatabase,
  type TestRedisDatabase,
} from '@vcds/test-kit';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const SECRET = 'a-secret-of-enough-characters-for-all';
const run = promisify(execFile);

let database: TestDatabase;
let redis: TestRedisDatabase;
let mailFolder: string;
let authUrl: string;
let output = '';
const children: ChildProcess[] = [];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), createTestRedis()]);
  mailFolder = await mkdtemp(join(tmpdir(), 'mail-'));
  const [port, internal, workerInternal] = [await freePort(), await freePort(), await freePort()];
  const accessUrl = `http://127.0.0.1:${port}`;
  authUrl = `${accessUrl}/api/v1`;
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: database.urlOf('vcds_access_api'),
    REDIS_URL: redis.url,
    SERVICE_TOKEN_SECRET: SECRET,
    CODE_SECRET: SECRET,
    MX_CHECK: 'off',
    MAIL_TRANSPORT: 'file',
    MAIL_DIR: mailFolder,
    ACCESS_API_PUBLIC_URL: accessUrl,
    ACCESS_API_PORT: String(port),
    DRAIN_MS: '0',
    ACCESS_API_INTERNAL_PORT: String(internal),
    WORKER_INTERNAL_PORT: String(workerInternal),
  };
  for (const main of ['main.js', 'worker-main.js']) {
    const child = spawn(process.execPath, [join(DIST, main)], { env, stdio: 'pipe' });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    children.push(child);
  }
  await Promise.all([internal, workerInternal].map(ready));
}, 60_000);
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }
  await Promise.all([database.drop(), redis.drop(), rm(mailFolder, { recursive: true })]);
}, 60_000);

async function ready(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
    if (answer?.ok) return;
    if (children.some((child) => child.exitCode !== null)) throw new Error(output);
    await delay(50);
  }
}

/** curl as a person would type it; the answer as JSON. */
async function curl(...words: string[]): Promise<Record<string, string>> {
  const { stdout } = await run('curl', ['--silent', '--show-error', ...words]);
  return JSON.parse(stdout) as Record<string, string>;
}

async function messageFor(address: string): Promise<{ text: string; html: string }> {
  for (;;) {
    for (const name of await readdir(mailFolder)) {
      if (!name.endsWith('.json')) continue;
      const message = JSON.parse(await readFile(join(mailFolder, name), 'utf8'));
      if (message.to === address) return message;
    }
    await delay(50);
  }
}

async function codeFor(address: string): Promise<string> {
  return /\b\d{6}\b/.exec((await messageFor(address)).text)?.[0] ?? '';
}

describe("an assistant's whole way, with nothing but curl", () => {
  test('register, read the code in the mail, verify, ask for the balance', async () => {
    const json = ['-H', 'Content-Type: application/json', '-d'];
    const opened = await curl(...json, '{"email":"post@example.com"}', `${authUrl}/auth/register`);
    expect(opened.status).toBe('sent');
    const id = opened.request_id ?? '';
    const code = await codeFor('post@example.com');
    const body = JSON.stringify({ request_id: id, code });
    const { api_key: key = '' } = await curl(...json, body, `${authUrl}/auth/verify`);
    const usage = await curl('-H', `X-Api-Key: ${key}`, `${authUrl}/usage`);
    expect(usage).toMatchObject({ limit: 500, remaining: 500 });
    const status = await curl(`${authUrl}/auth/status?request_id=${id}`);
    expect(status).toEqual({ status: 'completed' });
  }, 60_000);

  test('the same by GET variants only', async () => {
    const email = 'get@example.com';
    await curl(`${authUrl}/auth/register?email=${email}`);
    const code = await codeFor(email);
    const verified = await curl(`${authUrl}/auth/verify?email=${email}&code=${code}`);
    const usage = await curl(`${authUrl}/usage?token=${verified.api_key}`);
    expect(usage).toMatchObject({ limit: 500, remaining: 500 });
  }, 60_000);

  test('the link in the mail opens a page, whose button shows a key', async () => {
    const email = 'link@example.com';
    const opened = await curl(`${authUrl}/auth/register?email=${email}`);
    const { text } = await messageFor(email);
    const link = /http\S+\/account\/sign-in\/[0-9a-f]+/.exec(text)?.[0] ?? '';
    const page = await run('curl', ['--silent', link]);
    expect(page.stdout).toContain('<form method="post">');
    const post = ['--silent', '--request', 'POST', '--header', `Origin: ${new URL(link).origin}`];
    const { stdout } = await run('curl', [...post, link]);
    const [key = ''] = /pk_live_\w{49}/.exec(stdout) ?? [];
    expect(await curl('-H', `X-Api-Key: ${key}`, `${authUrl}/usage`)).toHaveProperty('limit', 500);
    const status = await curl(`${authUrl}/auth/status?request_id=${opened.request_id}`);
    expect(status).toEqual({ status: 'link_used' });
  }, 60_000);

  test('neither process wrote a key or a link into its log', () => {
    expect(output).toContain('"route":"/api/v1/auth/verify"');
    expect(output).not.toMatch(/pk_live_\w/);
    expect(output).not.toMatch(/sign-in\/[0-9a-f]/);
  });
});

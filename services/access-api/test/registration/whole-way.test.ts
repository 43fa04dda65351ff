import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Product, startProduct } from '@vcds/test-kit';

const run = promisify(execFile);

let product: Product;
let authUrl: string;
beforeAll(async () => {
  product = await startProduct();
  authUrl = `${product.accessUrl}/api/v1`;
});
afterAll(() => product.close());

/** curl as a person would type it; the answer as JSON. */
async function curl(...words: string[]): Promise<Record<string, string>> {
  const { stdout } = await run('curl', ['--silent', '--show-error', ...words]);
  return JSON.parse(stdout) as Record<string, string>;
}

async function codeFor(address: string): Promise<string> {
  return /\b\d{6}\b/.exec((await product.mailTo(address)).text)?.[0] ?? '';
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
  });

  test('the same by GET variants only', async () => {
    const email = 'get@example.com';
    await curl(`${authUrl}/auth/register?email=${email}`);
    const code = await codeFor(email);
    const verified = await curl(`${authUrl}/auth/verify?email=${email}&code=${code}`);
    const usage = await curl(`${authUrl}/usage?token=${verified.api_key}`);
    expect(usage).toMatchObject({ limit: 500, remaining: 500 });
  });

  test('the link in the mail opens a page, whose button shows a key', async () => {
    const email = 'link@example.com';
    const opened = await curl(`${authUrl}/auth/register?email=${email}`);
    const { text } = await product.mailTo(email);
    const link = /http\S+\/account\/sign-in\/[0-9a-f]+/.exec(text)?.[0] ?? '';
    const page = await run('curl', ['--silent', link]);
    expect(page.stdout).toContain('<form method="post">');
    const post = ['--silent', '--request', 'POST', '--header', `Origin: ${new URL(link).origin}`];
    const { stdout } = await run('curl', [...post, link]);
    const [key = ''] = /pk_live_\w{49}/.exec(stdout) ?? [];
    expect(await curl('-H', `X-Api-Key: ${key}`, `${authUrl}/usage`)).toHaveProperty('limit', 500);
    const status = await curl(`${authUrl}/auth/status?request_id=${opened.request_id}`);
    expect(status).toEqual({ status: 'link_used' });
  });

  test('neither process wrote a key or a link into its log', () => {
    expect(product.output()).toContain('"route":"/api/v1/auth/verify"');
    expect(product.output()).not.toMatch(/pk_live_\w/);
    expect(product.output()).not.toMatch(/sign-in\/[0-9a-f]/);
  });
});

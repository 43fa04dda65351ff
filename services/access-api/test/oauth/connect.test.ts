// Tests docs/spec/oauth.md 28.1, 28.2, 28.5, 28.6, 28.7.
// Tests docs/spec/authentication.md 2.5.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '@vcds/credentials';
import { closedAfterAll, eventually, startProduct } from '@vcds/test-kit';
import { linkTo } from '../pages/key.ts';
import { keyOn, Person } from '../pages/person.ts';
import { viewOf } from '../pages/view.ts';
import { newAddress } from '../registration/fixture.ts';
import { Assistant } from './assistant.ts';

const product = await closedAfterAll(
  startProduct({ programs: ['access-api', 'worker', 'data-api'] }),
);
const { accessUrl, dataUrl } = product;
const MCP = `${dataUrl}/mcp`;

const pathOf = (url: string | URL): string => {
  const { pathname, search } = new URL(url, accessUrl);
  return pathname + search;
};

/** The person signs in on the way and answers; where the browser is sent. */
async function consented(assistant: Assistant, answer: Record<string, string | readonly string[]>) {
  const person = new Person(accessUrl);
  const page = await person.get(pathOf(assistant.authorizationUrl ?? ''));
  expect(page.status).toBe(302);
  const consentPath = pathOf(page.headers.location ?? '');
  const signIn = await person.get(consentPath);
  expect(signIn.text).toContain('Sign in to connect Test assistant');
  const address = newAddress();
  await person.post('/account/sign-in', { email: address });
  const link = pathOf(await linkTo(product, address));
  expect((await person.get(link)).text).toContain('Sign in and continue');
  const landed = await person.post(link, { key: 'none' });
  expect(landed.headers.location).toBe(consentPath);
  const consent = await person.get(consentPath);
  expect(viewOf(consent).all('input[type="checkbox"]')).toHaveLength(SCOPES.length);
  const answered = await person.post(consentPath, answer);
  expect(answered.status).toBe(303);
  return { person, target: new URL(answered.headers.location ?? ''), consent };
}

async function connected(answer: Record<string, string | readonly string[]> = {}) {
  const assistant = new Assistant();
  await expect(assistant.connect(MCP)).rejects.toThrow();
  const all = { decision: 'allow', scope: SCOPES, ...answer };
  const { person, target, consent } = await consented(assistant, all);
  const code = target.searchParams.get('code') ?? '';
  const iss = target.searchParams.get('iss') ?? '';
  expect([iss, target.searchParams.get('state')]).toEqual([accessUrl, assistant.state()]);
  await assistant.transport(MCP).finishAuth(new URLSearchParams({ code, iss }));
  return { assistant, person, code, consent };
}

const codeTo = async (address: string): Promise<string> =>
  /\b\d{6}\b/.exec((await product.mailTo(address)).text)?.[0] ?? '';

const mcp = (token: string, path = '/mcp') =>
  fetch(`${dataUrl}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

describe('an assistant with only the address of /mcp', () => {
  test('registers, is consented to, and calls tools as the key of the connection', async () => {
    const { assistant, person, consent } = await connected({ scope: ['companies'], limit: '50' });
    expect(consent.headers['content-security-policy']).toContain(
      "form-action 'self' http://127.0.0.1:33418",
    );
    for (const mode of ['auto', 'legacy'] as const) {
      const client = await assistant.connect(MCP, mode);
      const { structuredContent } = await client.callTool({ name: 'check_balance', arguments: {} });
      expect(structuredContent).toMatchObject({
        plan: 'free',
        credits: { remaining: 500, key: { limit: 50, remaining: 50 } },
      });
      const denied = await client.callTool({
        name: 'list_records',
        arguments: { collection: 'news' },
      });
      expect(JSON.stringify(denied.content)).toContain('not_entitled');
      await client.close();
    }
    const account = viewOf(await person.get('/account'));
    expect(JSON.stringify(account.facts)).toContain('50 credits a month');
  });

  test('gets a new token for the refresh token, and the old ones end', async () => {
    const { assistant } = await connected();
    const before = { access: assistant.accessToken, refresh: assistant.refreshToken };
    await assistant.authorize(MCP);
    expect(assistant.accessToken).not.toBe(before.access);
    expect((await mcp(assistant.accessToken)).status).toBe(200);
    const over = await mcp(before.access);
    expect(over.status).toBe(401);
    const said = await over.text();
    expect(said).toContain('connect again');
    expect(said).not.toContain('get a key');
    // Somebody who has an older refresh token than the last one ends the connection.
    await assistant.authorize(MCP);
    assistant.saveTokens({
      access_token: before.access,
      refresh_token: before.refresh,
      token_type: 'Bearer',
    });
    const now = assistant.accessToken;
    await assistant.authorize(MCP);
    expect(assistant.authorizationUrl).toBeDefined();
    expect((await mcp(now)).status).toBe(401);
  });

  test('is rejected everywhere but at /mcp, and after the person has revoked it', async () => {
    const { assistant, person, code } = await connected();
    const token = assistant.accessToken;
    expect((await mcp(token)).status).toBe(200);
    expect((await mcp(token, '/mcp/key')).status).toBe(401);
    for (const url of [`${dataUrl}/v2/pricing`, `${accessUrl}/api/v1/usage`]) {
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(401);
    }
    const [revoke = ''] = viewOf(await person.get('/account'))
      .all('a')
      .map((link) => link.getAttribute('href') ?? '')
      .filter((href) => href.endsWith('/revoke'));
    for (const action of ['revoke', 'limit', 'scopes']) {
      const { text } = await person.get(revoke.replace('revoke', action));
      const [, main = ''] = text.split('<main');
      expect(main).toContain('this connection');
      expect(main).not.toMatch(/\bkey\b|starting with/);
    }
    await person.post(revoke);
    expect((await mcp(token)).status).toBe(401);
    const { refreshToken } = assistant;
    await assistant.authorize(MCP);
    expect(assistant.authorizationUrl).toBeDefined();
    for (const secret of [code, token, refreshToken]) {
      expect(product.output()).not.toContain(secret.slice(-40));
    }
  });

  test('receives access_denied if the person does not allow it', async () => {
    const assistant = new Assistant();
    await expect(assistant.connect(MCP)).rejects.toThrow();
    const { target } = await consented(assistant, { decision: 'deny' });
    expect(target.searchParams.get('error')).toBe('access_denied');
  });
});

describe.each(['/auth.md', '/skills/venture-capital-data/SKILL.md'])('%s', (path) => {
  test('has commands that work, in their order', async () => {
    const [account] = await product.issue({ plan: 'free', keys: [{}] });
    const EMAIL = newAddress();
    const file = await (await fetch(`${accessUrl}${path}`)).text();
    const blocks = [...file.matchAll(/^~~~sh\n(.*?)^~~~$/gms)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThanOrEqual(4);
    expect(file).not.toContain('vcds.example');
    for (const block of blocks) {
      const CODE = block.includes('$CODE') ? await codeTo(EMAIL) : '';
      const VCDS_API_KEY = account.keys[0]?.apiKey ?? '';
      const env = { PATH: process.env.PATH, EMAIL, CODE, VCDS_API_KEY };
      const { stdout } = await promisify(execFile)('bash', ['-ec', block], { env });
      expect(stdout).toMatch(/^[[{]/);
    }
  });
});

describe('discovery', () => {
  test('leads from the 401 of /mcp to the authorization server; /mcp/key has none', async () => {
    const missing = await fetch(MCP, { method: 'POST' });
    const location = `${dataUrl}/.well-known/oauth-protected-resource/mcp`;
    expect(missing.headers.get('www-authenticate')).toBe(
      `Bearer realm="mcp", resource_metadata="${location}"`,
    );
    const invalid = await mcp('nonsense');
    expect(invalid.headers.get('www-authenticate')).toContain('error="invalid_token"');
    for (const url of [location, `${dataUrl}/.well-known/oauth-protected-resource`]) {
      const metadata = await (await fetch(url)).json();
      expect(metadata).toMatchObject({ resource: MCP, authorization_servers: [accessUrl] });
    }
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const metadata = await (await fetch(`${accessUrl}/.well-known/${name}`)).json();
      expect(metadata).toMatchObject({
        issuer: accessUrl,
        code_challenge_methods_supported: ['S256'],
        client_id_metadata_document_supported: true,
      });
    }
    const key = await fetch(`${MCP}/key`, { method: 'POST' });
    expect([key.status, key.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="api"']);
  });

  test('a key in a header still works at both addresses', async () => {
    const [account] = await product.issue({ plan: 'free', keys: [{}] });
    const key = account.keys[0]?.apiKey ?? '';
    for (const path of ['/mcp', '/mcp/key']) expect((await mcp(key, path)).status).toBe(200);
  });
});

const statusOf = async (path: string, key: string): Promise<number> => {
  const answer = await fetch(`${dataUrl}/v2${path}`, { headers: { 'X-Api-Key': key } });
  await answer.arrayBuffer();
  return answer.status;
};
const untilStatus = (status: number, path: string, key: string) =>
  eventually(async () => (await statusOf(path, key)) === status, { intervalMs: 5 });

test('data-api accepts a key of the account page, and rejects it when narrowed or revoked', async () => {
  const person = new Person(accessUrl);
  const email = newAddress();
  await person.post('/account/sign-in', { email });
  const link = pathOf(await linkTo(product, email));
  await person.post(link, { key: 'none' });
  const key = keyOn(await person.post('/account/keys/new', { scope: ['companies', 'news'] }));
  expect(await statusOf('/startups', key)).toBe(200);
  expect(await statusOf('/news', key)).toBe(200);
  expect(await statusOf('/persons', key)).toBe(403);

  const home = await person.get('/account');
  const [path = ''] = /\/account\/keys\/[0-9a-f-]{36}/.exec(home.text) ?? [];
  expect((await person.post(`${path}/scopes`, { scope: 'news' })).status).toBe(303);
  await untilStatus(403, '/startups', key);
  expect(await statusOf('/news', key)).toBe(200);

  expect((await person.post(`${path}/revoke`)).status).toBe(303);
  await untilStatus(401, '/news', key);
  expect(product.output()).not.toContain(key.slice(8));
});

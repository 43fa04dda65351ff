// Tests docs/spec/addresses.md 1.1, 1.5, 1.6.
import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { digestOf, generateApiKey } from '@vcds/credentials';
import { createHttpServer, createWorkGate, READ_HEADERS } from '@vcds/service-kit';
import {
  createTestDatabase,
  eventually,
  freePort,
  headersRead,
  httpCalls,
  killServices,
  spawnService,
} from '@vcds/test-kit';
import { Registry } from 'prom-client';
import request from 'supertest';
import { accessRoutes, createAccessApp } from '../src/app.ts';
import { openAccess, settingsOf, startOn } from './access.ts';
import { drain } from './registration/fixture.ts';

const lines: string[] = [];
const access = await openAccess();
const URLS = {
  ACCESS_API_PUBLIC_URL: 'https://access.example.com/',
  DATA_API_PUBLIC_URL: 'https://data.example.com',
};
const service = await startOn(access, URLS, lines);

const open = (listener: 'public' | 'internal') =>
  request(`http://127.0.0.1:${service.ports[listener]}`);

describe('access-api', () => {
  test('/api/v1 says where both services are', async () => {
    const answer = await open('public').get('/api/v1');
    expect(answer.body).toMatchObject({
      service: 'access-api',
      version: 'v1',
      auth_url: 'https://access.example.com/api/v1',
      base_url: 'https://data.example.com/v2',
    });
  });

  test('/api/v1 lists paths, bodies and limits, and links what else describes the service', async () => {
    const { body } = await open('public').get('/api/v1');
    expect(body.endpoints).toContainEqual({
      path: '/auth/register',
      url: 'https://access.example.com/api/v1/auth/register',
      methods: ['POST', 'GET'],
      summary: 'Send a code to an email address.',
      parameters: ['email'],
      requires: [['email']],
      body: { email: 'ada@example.com' },
      limits: [
        expect.stringContaining('3 times an hour'),
        expect.stringContaining('20 times an hour'),
      ],
    });
    const limits = body.endpoints.flatMap((endpoint: { limits: string[] }) => endpoint.limits);
    expect(limits.join(' ')).toMatch(/10 minutes and 5 attempts.*at most every 15 seconds/);
    // Without a signing key there is no exchange of tokens.
    expect(body.endpoints.map(({ path }: { path: string }) => path)).toEqual([
      '/auth/register',
      '/auth/verify',
      '/auth/status',
      '/usage',
    ]);
    for (const [name, path] of [
      ['documentation', '/docs'],
      ['description', '/api/v1/access-openapi.json'],
      ['data_description', '/api/v1/openapi.json'],
      ['llms', '/llms.txt'],
      ['llms_full', '/llms-full.txt'],
      ['account', '/account'],
    ] as const) {
      expect(body[name]).toBe(`https://access.example.com${path}`);
    }
  });

  test('the bare host leads a browser to the account page and answers a program with the root', async () => {
    const browser = await open('public').get('/').set('Accept', 'text/html,*/*;q=0.8');
    expect([browser.status, browser.headers.location]).toEqual([303, '/account']);
    const program = await open('public').get('/');
    expect(program.body).toEqual((await open('public').get('/api/v1')).body);
    expect(program.headers.vary).toContain('Accept');
    const icon = await open('public').get('/icon.svg');
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });

  test('/api/v1 reads no parameter but the credential', async () => {
    const answer = await open('public').get('/api/v1?verbose=1');
    expect(answer.body.error).toMatchObject({ code: 'unknown_parameter', parameter: 'verbose' });
    expect((await open('public').get('/api/v1?token=anything')).status).toBe(200);
  });

  test('no answer may be kept: not the root, not an error, not a preflight', async () => {
    for (const answer of [
      await open('public').get('/api/v1'),
      await open('public').get('/api/v1/nothing'),
      await open('public').post('/api/v1'),
      await open('public').options('/api/v1'),
    ]) {
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });

  test('rejects unknown paths and methods with the common error body', async () => {
    const unknown = await open('public').get('/api/v1/nothing');
    expect(unknown.status).toBe(404);
    expect(unknown.body.error.code).toBe('unknown_path');
    const method = await open('public').post('/api/v1');
    expect(method.status).toBe(405);
    expect(method.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await open('public').head('/api/v1')).status).toBe(200);
  });

  test('404 and 405 carry the balance of a valid key, and of no other', async () => {
    const accountId = await access.accounts.create({ plan: 'starter' });
    const { apiKey } = await access.accounts.issueKey({ accountId, origin: 'operator' });
    await drain(access);
    const balance = { 'x-credits-charged': '0', 'x-ratelimit-limit': '10000' };
    for (const call of [
      open('public').get('/api/v1/nothing').set('X-Api-Key', apiKey),
      open('public').post('/api/v1/usage').set('Authorization', `Bearer ${apiKey}`),
      open('public').delete('/api/v1/auth/verify').query({ token: apiKey }),
    ]) {
      const { status, headers } = await call;
      expect([404, 405]).toContain(status);
      expect(headers).toMatchObject(balance);
      expect(headers['x-ratelimit-remaining']).toBe(headers['x-ratelimit-limit']);
    }
    for (const key of ['', `${apiKey}x`, generateApiKey()]) {
      const { status, headers } = await open('public').post('/api/v1/usage').set('X-Api-Key', key);
      expect([status, headers['x-ratelimit-limit']]).toEqual([405, undefined]);
    }
  });

  test('a path of the data API is answered with its full URL', async () => {
    const { body } = await open('public').get('/api/v1');
    for (const [path, meant] of [
      ['/api/v1/startups', '/startups'],
      ['/v2/startups/fundingrounds', '/startups/fundingrounds'],
      ['/startups/search', '/startups/search'],
    ] as const) {
      const { error } = (await open('public').get(path)).body;
      expect(error).toMatchObject({ code: 'unknown_path', suggestion: `${body.base_url}${meant}` });
    }
    const { error } = (await open('public').get('/api/v1/usages')).body;
    expect(error.suggestion).toBe('/api/v1/usage');
  });

  test('an error of a parameter or value leads to the list of endpoints', async () => {
    const root = (await open('public').get('/api/v1')).body;
    expect(root.endpoints).toContainEqual(
      expect.objectContaining({ path: '/auth/register', parameters: ['email'] }),
    );
    for (const path of [
      '/api/v1/nothing',
      '/api/v1?x=1',
      '/api/v1/auth/register',
      '/api/v1/auth/register?emial=a@example.com',
      '/api/v1/auth/verify?code=1',
      '/api/v1/auth/status',
      '/api/v1/auth/status?request_id=x&request_id=y',
    ]) {
      const { error } = (await open('public').get(path)).body;
      expect([path, error.see]).toEqual([path, root.auth_url]);
    }
  });

  test('requests beyond the limits of HTTP have the common error body', async () => {
    const large = await open('public')
      .post('/api/v1/auth/register')
      .send({ email: 'x'.repeat(17_000) });
    expect([large.status, large.body.error.code]).toEqual([413, 'body_too_large']);
    const long = await open('public').get(`/api/v1/auth/status?request_id=${'x'.repeat(131_072)}`);
    expect([long.status, long.body.error.code]).toEqual([414, 'url_too_long']);
    const accepted = await open('public')
      .get('/api/v1/auth/status?request_id=1')
      .set('Accept', 'x'.repeat(1_025));
    expect([accepted.status, accepted.body.error.code]).toEqual([431, 'headers_too_large']);
    const options = {
      host: '127.0.0.1',
      port: service.ports.public,
      path: '/api/v1',
      setHost: false,
    };
    const [nameless] = await once(get(options), 'response');
    expect(nameless.statusCode).toBe(400);
    expect(JSON.parse(await text(nameless)).error.code).toBe('bad_request');
  });

  test('internal endpoints are not on the public port', async () => {
    for (const path of ['/live', '/ready', '/metrics']) {
      expect((await open('public').get(path)).status).toBe(404);
    }
    expect((await open('public').post('/internal/v1/keys/check')).status).toBe(404);
  });

  test('is ready once a key can be checked, in Redis or in the journal, with the schema of this build', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const nowhere = await freePort();
    const redis = { REDIS_URL: `redis://127.0.0.1:${nowhere}` };
    const database = { DATABASE_URL: `postgres://x:y@127.0.0.1:${nowhere}/z` };
    for (const [differs, expected] of [
      [{}, [200, { keys: 'ok', schema: 'ok' }]],
      [redis, [200, { keys: 'ok', schema: 'ok' }]],
      [{ ...redis, ...database }, [503, { keys: 'failed', schema: 'ok' }]],
      [{ DATABASE_URL: empty.url }, [503, { keys: 'failed', schema: 'failed' }]],
    ] as const) {
      const { ports } = await startOn(access, differs);
      await eventually(async () => {
        const answer = await fetch(`http://127.0.0.1:${ports.internal}/ready`);
        const { checks } = (await answer.json()) as { checks: object };
        expect([answer.status, checks]).toEqual(expected);
      });
    }
    await empty.drop();
  });

  test('writes no key and no digest of one into its log', async () => {
    const accountId = await access.accounts.create({ plan: 'free' });
    const { apiKey } = await access.accounts.issueKey({ accountId, origin: 'operator' });
    await open('public').get(`/api/v1/nothing?token=${apiKey}`).set('X-Api-Key', apiKey);
    await open('public').get(`/api/v1/${apiKey}`);
    await open('internal').post('/internal/v1/keys/check').set('Authorization', `Bearer ${apiKey}`);
    const logged = lines.join('');
    expect(logged).toContain('"route":"unknown"');
    expect(logged).not.toContain(apiKey.slice(8));
    expect(logged).not.toContain(digestOf(apiKey));
  });
});

test('every route has the bounds of the network, unless a valid key names an account', async () => {
  // Every network and account is beyond its share after its first request, and stays so.
  const gate = createWorkGate({
    registry: new Registry(),
    clock: { wallMs: () => 0, monotonicMs: () => 0 },
    limits: { inFlightMax: 99, free: { part: 1e-6, burstMs: 0, blockedMsMax: 10_000 } },
  });
  const server = createHttpServer(createAccessApp(access, undefined, gate).publicApp);
  const read = headersRead(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const calls = httpCalls(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  // Forwarded, so that no rejection is held.
  const call = async (method: string, path: string, key: string) => {
    const headers = { 'X-Forwarded-For': '192.0.2.1', 'X-Api-Key': key };
    return (await calls.send(method, path, headers)).status;
  };
  await call('GET', '/docs', generateApiKey());
  for (const { method, path, takesKey = false } of accessRoutes(access)) {
    const accountId = await access.accounts.create({ plan: 'starter' });
    const { apiKey } = await access.accounts.issueKey({ accountId, origin: 'operator' });
    const sent = path.replaceAll(/[:*]\w+/g, '1');
    expect([path, await call(method, sent, generateApiKey())]).toEqual([path, 429]);
    expect([path, (await call(method, sent, apiKey)) === 429]).toEqual([path, !takesKey]);
  }
  calls.close();
  server.close();
  expect([...read].filter((name) => !READ_HEADERS.has(name))).toEqual([]);
});

describe('the process', () => {
  afterEach(killServices);
  const start = (differs: NodeJS.ProcessEnv = {}) =>
    spawnService('access-api', settingsOf(access, differs));

  test('ends with 1 and one line per fault naming the variable', async () => {
    const { child, output } = start({
      REDIS_URL: 'http://x',
      SERVICE_TOKEN_SECRET: 'short',
      ACCESS_API_PORT: 'x',
    });
    expect((await once(child, 'close'))[0]).toBe(1);
    const faults = output().trim().split('\n');
    expect(faults).toHaveLength(3);
    for (const fault of faults) {
      expect(fault).toMatch(
        /^access-api: (REDIS_URL|SERVICE_TOKEN_SECRET|ACCESS_API_PORT) must be/,
      );
    }
    expect(output()).not.toContain('short');
  });

  test('ends with 0 on SIGTERM', async () => {
    const process = start();
    await process.ports;
    expect(await process.end('SIGTERM')).toBe(0);
  });
});

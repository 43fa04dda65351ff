// Tests docs/spec/oauth.md 28.2, 28.3, 28.4, 28.8.
import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '@vcds/credentials';
import request from 'supertest';
import { signedIn } from '../pages/person.ts';
import { ACCESS_URL, keysOf, newClient, openFixture } from '../registration/fixture.ts';
import { Assistant } from './assistant.ts';
import {
  asked,
  authorize,
  CALLBACK,
  check,
  clientOf,
  documents,
  fetchFn,
  fixture,
  OTHER_IDS,
  OTHER_REDIRECTS,
  RESOURCE,
  register,
  SITE,
} from './server.ts';

const { clock } = fixture.access;
/** The rules of the service itself, which reach public addresses only. */
const strict = await openFixture();

describe('a client with a metadata document', () => {
  const publish = (path: string, changes: object = {}, uris: readonly string[] = [CALLBACK]) => {
    const client_id = `${SITE}${path}`;
    const document = { client_id, client_name: 'Acme assistant', redirect_uris: uris, ...changes };
    documents.set(path, { body: JSON.stringify(document) });
    return client_id;
  };

  test('is shown with the host that describes it, and read once in ten minutes', async () => {
    const clientId = publish('/client.json');
    const { person } = await signedIn(fixture);
    const { status, headers } = await authorize(clientId);
    expect(status).toBe(302);
    const page = await person.get(headers.location ?? '');
    expect(page.text).toContain('Acme assistant');
    expect(page.text).toContain(`described by <strong>${new URL(SITE).host}</strong>`);
    await authorize(clientId);
    expect(asked.filter((path) => path === '/client.json')).toHaveLength(1);
    clock.advance(600_001);
    await authorize(clientId);
    expect(asked.filter((path) => path === '/client.json')).toHaveLength(2);
  });

  test('connects with the client of the SDK, without a registration', async () => {
    const assistant = new Assistant({ redirectUrl: CALLBACK, documentUrl: publish('/sdk.json') });
    expect(await assistant.authorize(RESOURCE, { fetchFn })).toBe('REDIRECT');
    const { search = '' } = assistant.authorizationUrl ?? {};
    const { person } = await signedIn(fixture);
    const { headers } = await person.get(`/oauth/authorize${search}`);
    const answer = await person.post(headers.location ?? '', { decision: 'allow', scope: SCOPES });
    const { searchParams } = new URL(answer.headers.location ?? '');
    const authorizationCode = searchParams.get('code') ?? '';
    const options = { authorizationCode, iss: searchParams.get('iss') ?? '', fetchFn };
    expect(await assistant.authorize(RESOURCE, options)).toBe('AUTHORIZED');
    expect(assistant.stored.client?.client_id).toBe(`${SITE}/sdk.json`);
    expect(await check(assistant.accessToken)).toBe('accepted');
  });

  test.each([
    ['names another id', () => publish('/other.json', { client_id: `${SITE}/elsewhere` })],
    ['has a secret', () => publish('/secret.json', { client_secret: 'x' })],
    [
      'uses a secret',
      () => publish('/post.json', { token_endpoint_auth_method: 'client_secret_post' }),
    ],
    ['has no redirect URI', () => publish('/none.json', {}, [])],
    [
      'redirects to plain HTTP',
      () => publish('/plain.json', {}, ['http://acme.example/cb', CALLBACK]),
    ],
    ['is too large', () => publish('/large.json', { logo: 'x'.repeat(11_000) })],
    [
      'redirects',
      () => {
        documents.set('/moved.json', { status: 302, location: `${SITE}/client.json` });
        return `${SITE}/moved.json`;
      },
    ],
    [
      'is no JSON',
      () => {
        documents.set('/text', { body: 'hello' });
        return `${SITE}/text`;
      },
    ],
    ['is not there', () => `${SITE}/nothing`],
  ])('is rejected if its document %s', async (_, published) => {
    const { status, body } = await authorize(published());
    expect([status, body.error]).toEqual([400, 'invalid_client']);
    expect(body.error_description).toContain('The document of the client_id');
  });

  test.each(OTHER_IDS)('%s is rejected', async (clientId) => {
    const query = { client_id: clientId, redirect_uri: CALLBACK };
    const answer = await request(strict.app)
      .get('/oauth/authorize')
      .set('X-Forwarded-For', newClient())
      .query(query);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client']);
  });

  test('a network reads 20 documents an hour', async () => {
    const client = newClient();
    const read = (i: number) =>
      request(fixture.app)
        .get('/oauth/authorize')
        .set('X-Forwarded-For', client)
        .query({ client_id: `${SITE}/flood-${i}`, redirect_uri: CALLBACK });
    for (let i = 0; i < 25; i++) await read(i);
    expect(asked.filter((path) => path.startsWith('/flood-'))).toHaveLength(20);
  });
});

test.each(['{}', '{x'])(
  'a registration with the body %s is an error in a sentence',
  async (sent) => {
    const { body } = await register(sent).type('json');
    expect(body.error).toBe(sent === '{}' ? 'invalid_redirect_uri' : 'invalid_request');
    expect(body.error_description).toMatch(/^[^[]+\.$/);
  },
);

describe('a registration', () => {
  test('is its own id, so that none is stored; it ends after 180 days', async () => {
    const before = await fixture.access.redis.dbsize();
    const client = newClient();
    for (let i = 0; i < 20; i++) {
      const { status, body } = await register({ redirect_uris: [CALLBACK] }, client);
      expect(status).toBe(201);
      expect(body).toMatchObject({ token_endpoint_auth_method: 'none', redirect_uris: [CALLBACK] });
      expect(body.client_secret).toBeUndefined();
    }
    const beyond = await register({ redirect_uris: [CALLBACK] }, client);
    expect([beyond.status, beyond.body.error.code]).toEqual([429, 'too_many_requests']);
    // The window of the network alone.
    expect((await fixture.access.redis.dbsize()) - before).toBeLessThanOrEqual(2);
    const clientId = await clientOf();
    expect((await authorize(clientId)).status).toBe(302);
    clock.advance(180 * 86_400_000);
    expect((await authorize(clientId)).body.error).toBe('invalid_client');
    expect((await authorize(`${(await clientOf()).slice(0, -2)}xx`)).body.error).toBe(
      'invalid_client',
    );
  });

  test.each(OTHER_REDIRECTS)('with %j is rejected', async (uris) => {
    const { status, body } = await register({ redirect_uris: uris });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
  });
});

describe('an authorization request', () => {
  test.each([
    ['without PKCE', { code_challenge: undefined }],
    ['with the plain method', { code_challenge_method: 'plain' }],
    ['with a malformed challenge', { code_challenge: 'short' }],
    ['for another resource', { resource: 'https://data.example/v2' }],
    ['of another response type', { response_type: 'token' }],
    ['with an endless state', { state: 'x'.repeat(1_025) }],
    ['with an unknown scope', { scope: 'companies admin' }],
  ])(
    '%s is an error for the client; a foreign site is behind a page of ours',
    async (_, changes) => {
      const target = new URL((await authorize(await clientOf(), changes)).headers.location ?? '');
      const { error, error_description, ...rest } = Object.fromEntries(target.searchParams);
      expect(target.href.startsWith(CALLBACK) && error).toMatch(/^(invalid_|unsupported_)/);
      expect(error_description).not.toContain('[');
      expect(rest).toEqual({ iss: ACCESS_URL, ...('state' in changes ? {} : { state: 's' }) });
      const redirect_uri = 'https://site.example/cb';
      const answer = await authorize(await clientOf([redirect_uri]), { ...changes, redirect_uri });
      expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
      expect(answer.text).toContain(`href="${redirect_uri}?error=${error}`);
    },
  );

  test.each([
    ['another path', 'http://127.0.0.1:7777/other'],
    ['another host', 'https://evil.example/callback'],
    ['localhost in place of the address', 'http://localhost:7777/callback'],
  ])('to %s is rejected', async (_, redirect_uri) => {
    const { status, body } = await authorize(await clientOf(), { redirect_uri });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  test('to any port of the loopback address is accepted', async () => {
    const redirect_uri = 'http://127.0.0.1:9999/callback';
    expect((await authorize(await clientOf(), { redirect_uri })).status).toBe(302);
  });

  test('ends after 30 minutes, and cannot be changed', async () => {
    const { person } = await signedIn(fixture);
    const path = (await authorize(await clientOf())).headers.location ?? '';
    expect((await person.get(path)).status).toBe(200);
    expect((await person.get(`${path.slice(0, -3)}xyz`)).status).toBe(400);
    clock.advance(30 * 60_000);
    expect((await person.get(path)).status).toBe(400);
    expect((await person.post(path, { decision: 'allow', scope: SCOPES })).status).toBe(400);
  });

  test('needs a person who is signed in, and a form of our own', async () => {
    const { person, accountId } = await signedIn(fixture);
    const path = (await authorize(await clientOf())).headers.location ?? '';
    const answer = { decision: 'allow', scope: SCOPES };
    const foreign = await person.post(path, answer, { 'Sec-Fetch-Site': 'cross-site' });
    expect(foreign.status).toBe(403);
    await person.post('/account/sign-out');
    expect((await person.post(path, answer)).status).toBe(401);
    expect(await keysOf(fixture, { id: accountId })).toEqual([]);
  });

  test('is not consented to beyond the keys that an account may have', async () => {
    const { person, accountId } = await signedIn(fixture);
    for (let i = 0; i < 20; i++) await fixture.access.accountKeys.create({ accountId });
    const scope = [...SCOPES, ...SCOPES].join(' ');
    const path = (await authorize(await clientOf(), { scope })).headers.location ?? '';
    const { status, text } = await person.post(path, { decision: 'allow', scope: SCOPES });
    expect([status, text]).toEqual([409, expect.stringContaining('20 active keys')]);
  });

  test('is not consented to without a permission, or with a limit that is none', async () => {
    const { person } = await signedIn(fixture);
    const path = (await authorize(await clientOf())).headers.location ?? '';
    for (const fields of [{ scope: [] }, { scope: SCOPES, limit: '0' }]) {
      expect((await person.post(path, { decision: 'allow', ...fields })).status).toBe(400);
    }
  });
});

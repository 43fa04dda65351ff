// Tests docs/spec/oauth.md 28.2, 28.3, 28.4, 28.5, 28.6, 28.8.
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
  connected,
  documents,
  fetchFn,
  fixture,
  OTHER_IDS,
  OTHER_REDIRECTS,
  post,
  RESOURCE,
  redeem,
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

  test('is not consented to without a permission, or with a limit that is none', async () => {
    const { person } = await signedIn(fixture);
    const path = (await authorize(await clientOf())).headers.location ?? '';
    for (const fields of [{ scope: [] }, { scope: SCOPES, limit: '0' }]) {
      expect((await person.post(path, { decision: 'allow', ...fields })).status).toBe(400);
    }
  });
});

test.each([
  ['another grant', { grant_type: 'password', client_id: 'new' }, 400, 'unsupported_grant_type'],
  ['an unknown client', { grant_type: 'refresh_token', client_id: 'x' }, 400, 'invalid_client'],
  ['no client', { grant_type: 'refresh_token' }, 400, 'invalid_request'],
  ['a long body', { padding: 'x'.repeat(16_384) }, 413, 'body_too_large'],
])(
  'a token request with %s is an error',
  async (_, fields: Record<string, string>, status, code) => {
    const client_id = fields.client_id === 'new' ? await clientOf() : 'x';
    const sent = fields.client_id === undefined ? fields : { ...fields, client_id };
    const { status: answered, body } = await post('/oauth/token', sent);
    expect([answered, body.error.code ?? body.error]).toEqual([status, code]);
  },
);

describe('tokens', () => {
  test('are for one resource and an hour, and stored as digests only', async () => {
    const { clientId, code, accountId } = await connected();
    const { status, body } = await redeem(clientId, code);
    expect(status).toBe(200);
    const scope = SCOPES.join(' ');
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope });
    expect(await check(body.access_token)).toBe('accepted');
    expect(await check(body.access_token, 'https://other.example/mcp')).toBe('unknown');
    const rows = await fixture.access.database.oauthGrant.findMany({ where: { accountId } });
    const stored = JSON.stringify(rows);
    for (const secret of [code, body.access_token, body.refresh_token]) {
      expect(stored).not.toContain(secret);
    }
    clock.advance(3_600_000);
    expect(await check(body.access_token)).toBe('expired');
  });

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
    ['another resource', { resource: 'https://data.example/v2' }, 'invalid_target'],
  ])('are not issued for %s', async (_, changes, error) => {
    const { clientId, code } = await connected();
    const answer = await redeem(clientId, code, changes);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect((await redeem(clientId, code)).status).toBe(200);
  });

  test('are not issued to another client, or after a minute', async () => {
    const { clientId, code } = await connected();
    expect((await redeem(await clientOf(), code)).body.error).toBe('invalid_grant');
    clock.advance(60_000);
    expect((await redeem(clientId, code)).body.error).toBe('invalid_grant');
  });

  test('end when the code is used again, also by two requests at once', async () => {
    const { clientId, code } = await connected();
    const answers = await Promise.all([redeem(clientId, code), redeem(clientId, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const token = answers.find(({ status }) => status === 200)?.body.access_token;
    expect(await check(token)).toBe('revoked');
  });

  test('end when an old refresh token is used, and 30 days after the last one', async () => {
    const { clientId, code } = await connected();
    const refresh = (refresh_token: string, client_id = clientId) =>
      post('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token });
    const first = (await redeem(clientId, code)).body;
    expect((await refresh(first.refresh_token, await clientOf())).body.error).toBe('invalid_grant');
    const forged = first.refresh_token.replace(/\.[^.]+\./, `.${'x'.repeat(22)}.`);
    expect((await refresh(forged)).body.error).toBe('invalid_grant');
    const second = (await refresh(first.refresh_token)).body;
    expect(await check(first.access_token)).toBe('unknown');
    expect(await check(second.access_token)).toBe('accepted');
    clock.advance(29 * 86_400_000);
    const twice = [refresh(second.refresh_token), refresh(second.refresh_token)];
    const [third, same] = (await Promise.all(twice)).map(({ body }) => body);
    expect(same).toEqual(third);
    clock.advance(29_000);
    const late = (await refresh(second.refresh_token)).body;
    expect(late).toMatchObject({ refresh_token: third.refresh_token, expires_in: 3_571 });
    expect(await check(third.access_token)).toBe('accepted');
    clock.advance(1_000);
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
    expect(await check(third.access_token)).toBe('revoked');
  });

  test('are refreshed for granted scopes only, and a wrong redirect URI is named', async () => {
    const { clientId, code } = await connected();
    const { body } = await redeem(clientId, code, { redirect_uri: 'http://localhost/cb' });
    expect(body.error_description).toContain('redirect_uri differs');
    const { refresh_token } = (await redeem(clientId, code)).body;
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token };
    const ask = (scope: string) => post('/oauth/token', { ...fields, scope });
    expect((await ask('companies admin')).body.error).toBe('invalid_scope');
    expect((await ask('companies')).status).toBe(200);
  });

  test('end by revocation with either of them, with the key of the connection', async () => {
    for (const name of ['access_token', 'refresh_token'] as const) {
      const { clientId, code, accountId } = await connected();
      const { body } = await redeem(clientId, code);
      const revoke = (client_id: string) => post('/oauth/revoke', { client_id, token: body[name] });
      expect((await revoke(await clientOf())).status).toBe(200);
      expect(await check(body.access_token)).toBe('accepted');
      expect((await revoke(clientId)).status).toBe(200);
      expect(await check(body.access_token)).toBe('revoked');
      const [key] = await keysOf(fixture, { id: accountId });
      expect(key).toMatchObject({ origin: 'oauth', revokedAt: expect.any(Date) });
    }
  });

  test('of a code that was not redeemed hold no place among the keys', async () => {
    const { person, accountId } = await connected();
    clock.advance(60_001);
    const path = (await authorize(await clientOf())).headers.location ?? '';
    await person.post(path, { decision: 'allow', scope: SCOPES });
    const keys = await keysOf(fixture, { id: accountId });
    expect(keys.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  });
});

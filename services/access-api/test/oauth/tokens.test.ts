// Tests docs/spec/oauth.md 28.3, 28.5, 28.6, 28.8.
import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '@vcds/credentials';
import request from 'supertest';
import { revokeAccount } from '../../src/admin/revoke-account.ts';
import { createGrants } from '../../src/oauth/grants.ts';
import { SERVICE_SECRET } from '../access.ts';
import { ACCESS_URL, keysOf, openFixture } from '../registration/fixture.ts';
import {
  authorize,
  CALLBACK,
  check,
  clientOf,
  connected,
  fetchFn,
  fixture,
  post,
  redeem,
} from './server.ts';

const { clock } = fixture.access;

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

test('a body without a length is bounded too', async () => {
  const body = new Blob(['padding=', 'x'.repeat(16_384)]).stream();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  const answer = await fetchFn(`${ACCESS_URL}/oauth/token`, init);
  expect(answer.status).toBe(413);
  expect(await answer.text()).toContain('body_too_large');
});

test('a fault of ours is a server_error in the protocol, and in the log without the token', async () => {
  const broken = await openFixture({
    replace: ({ oauth }) => ({
      oauth: oauth && {
        ...oauth,
        grants: { ...oauth.grants, refresh: () => Promise.reject(new Error('no database')) },
      },
    }),
  });
  const client = await request(broken.app)
    .post('/oauth/register')
    .send({ redirect_uris: [CALLBACK] });
  const { status, body } = await request(broken.app).post('/oauth/token').type('form').send({
    grant_type: 'refresh_token',
    client_id: client.body.client_id,
    refresh_token: 'of-the-client',
  });
  expect([status, body.error]).toEqual([500, 'server_error']);
  expect(broken.access.log()).toContain('no database');
  expect(broken.access.log()).not.toContain('of-the-client');
});

test('MCP_OAUTH=off leaves no endpoint', async () => {
  const { app } = await openFixture({ environment: { MCP_OAUTH: 'off' } });
  const metadata = '/.well-known/oauth-authorization-server';
  for (const path of [metadata, '/oauth/authorize', '/account/connect']) {
    expect((await request(app).get(path)).status).toBe(404);
  }
});

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

  test('are the same from two processes while SERVICE_TOKEN_SECRET is replaced', async () => {
    const { clientId, code } = await connected();
    const { refresh_token } = (await redeem(clientId, code)).body;
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token };
    const { body } = await post('/oauth/token', fields);
    const serviceTokenSecret = `another-service-secret-of-enough-length,${SERVICE_SECRET}`;
    const other = createGrants({ ...fixture.access, serviceTokenSecret });
    expect(await other.refresh(clientId, refresh_token)).toMatchObject({
      access: body.access_token,
      refresh: body.refresh_token,
    });
    expect(await check(body.access_token)).toBe('accepted');
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

  test('end after 90 days whatever is refreshed, and with the account', async () => {
    const lived = await connected();
    const { clientId } = lived;
    let { body } = await redeem(clientId, lived.code);
    const refresh = ({ refresh_token = '' }) =>
      post('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token });
    for (let month = 0; month < 3; month++) {
      clock.advance(29 * 86_400_000);
      ({ body } = await refresh(body));
      expect(await check(body.access_token)).toBe('accepted');
    }
    clock.advance(3 * 86_400_000);
    expect((await refresh(body)).body.error).toBe('invalid_grant');
    const other = await connected();
    const { access_token } = (await redeem(other.clientId, other.code)).body;
    await revokeAccount(fixture.access, other.accountId);
    expect(await check(access_token)).toBe('revoked');
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

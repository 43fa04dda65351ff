// Tests docs/spec/addresses.md 1.2.
// Tests docs/spec/errors.md 11.3.
// Tests docs/spec/legacy-tokens.md 15.1, 15.2, 15.3, 15.4, 15.6.
import { describe, expect, test } from '@jest/globals';
import { digestOf, generateApiKey, JWKS_PATH, legacyTokenKey } from '@vcds/credentials';
import jwt from 'jsonwebtoken';
import request from 'supertest';
import { revokeAccount } from '../../src/admin/revoke-account.ts';
import { BASE, openFixture } from '../registration/fixture.ts';
import { basic, EXCHANGE, exchange, loginsOf, newUser, PASSWORD } from './legacy.ts';

const fixture = await openFixture();

const usage = () => request(fixture.app).get(`${BASE}/usage`);
const withToken = (token: string) => usage().set('Authorization', `Bearer ${token}`);

async function newKey(options: { expiresInSeconds?: number } = {}) {
  const { accounts } = fixture.access;
  const accountId = await accounts.create({ plan: 'starter' });
  return accounts.issueKey({ accountId, origin: 'operator', ...options });
}

async function reasonOf(token: string): Promise<string> {
  const answer = await withToken(token);
  expect(answer.status).toBe(401);
  expect(answer.body.error.code).toBe('unauthorized');
  return answer.body.error.reason;
}

describe('POST /v2/auth/token', () => {
  test('gives a token for a key, with any password', async () => {
    const { apiKey, accountId } = await newKey();
    const bare = `Basic ${Buffer.from(apiKey).toString('base64')}`;
    for (const header of [
      basic(apiKey),
      basic(apiKey, 'ignored'),
      bare,
      basic(apiKey).replace('B', 'b'),
    ]) {
      const answer = await exchange(fixture, header);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual(['token']);
      expect(answer.headers['cache-control']).toBe('no-store');
      const claims = jwt.decode(answer.body.token, { json: true });
      expect(claims).toMatchObject({ sub: accountId, key: digestOf(apiKey) });
      expect(Number(claims?.exp) - Number(claims?.iat)).toBe(3_600);
      expect(JSON.stringify(claims)).not.toContain(apiKey);
    }
  });

  test('gives a token for user name and password; the name in any case, the password exactly', async () => {
    const { userName, accountId } = await newUser(fixture.access);
    for (const name of [userName, userName.toUpperCase()]) {
      const answer = await exchange(fixture, basic(name, PASSWORD));
      expect(jwt.decode(answer.body.token)).toMatchObject({ sub: accountId });
      expect((await withToken(answer.body.token)).body.limit).toBe(100_000);
    }
    const wrong = await exchange(fixture, basic(userName, PASSWORD.toUpperCase()));
    expect(wrong.status).toBe(401);
  });

  test('accepts a password with colons and beyond ASCII, composed or not', async () => {
    const { userName, accountId } = await newUser(fixture.access);
    await loginsOf(fixture.access).set(accountId, userName, 'pass:wörd:\u{1F511} long');
    const decomposed = 'pass:wo\u0308rd:\u{1F511} long';
    expect((await exchange(fixture, basic(userName, decomposed))).status).toBe(200);
  });

  test.each<[string, string, string]>([
    ['no header', '', 'missing_fields'],
    ['nothing after Basic', 'Basic', 'missing_fields'],
    ['no user name', basic('', 'password'), 'missing_fields'],
    ['neither', basic(''), 'missing_fields'],
    ['no password', basic('ada@example.com'), 'missing_fields'],
    ['no colon', `Basic ${Buffer.from('ada').toString('base64')}`, 'missing_fields'],
    ['another scheme', `Bearer ${generateApiKey()}`, 'bad_parameter'],
    ['no base64', 'Basic ???', 'bad_parameter'],
    ['a word too many', `${basic('ada', 'b')} c`, 'bad_parameter'],
    ['no UTF-8', `Basic ${Buffer.from([97, 58, 0xff]).toString('base64')}`, 'bad_parameter'],
    ['a NUL', basic('a\0da', 'b'), 'bad_parameter'],
    ['a line break', basic('ada', 'b\n'), 'bad_parameter'],
  ])('400 for %s, and nothing of it is repeated', async (_, header, code) => {
    const client = request(fixture.app).post(EXCHANGE);
    const answer = await (header === '' ? client : client.set('Authorization', header));
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code, parameter: 'Authorization' });
    if (header.length > 5) expect(answer.text).not.toContain(header.slice(6));
  });

  test('gives a key 60 tokens in any hour, also for concurrent requests; then 429', async () => {
    const { apiKey } = await newKey();
    const calls = Array.from({ length: 64 }, () => exchange(fixture, basic(apiKey)));
    const rejected = (await Promise.all(calls)).filter(({ status }) => status !== 200);
    expect(rejected.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
    expect(rejected[0]?.body.error.code).toBe('too_many_requests');
    expect(rejected[0]?.headers['retry-after']).toBe('3600');
    expect((await exchange(fixture, basic((await newKey()).apiKey))).status).toBe(200);
    fixture.access.clock.advance(3_600_000);
    expect((await exchange(fixture, basic(apiKey))).status).toBe(200);
  });

  test('401 for an invalid key, with the reason', async () => {
    const [revoked, expired] = [await newKey(), await newKey({ expiresInSeconds: 0 })];
    await fixture.access.accounts.revokeKey(revoked.keyId);
    for (const [text, reason] of [
      [generateApiKey(), 'unknown'],
      [`${generateApiKey().slice(0, -1)}?`, 'malformed'],
      [revoked.apiKey, 'revoked'],
      [expired.apiKey, 'expired'],
    ] as const) {
      const answer = await exchange(fixture, basic(text));
      expect([answer.status, answer.body.error.reason]).toEqual([401, reason]);
    }
  });

  test('401 for a wrong password and for an unknown user: the same except for the trace id', async () => {
    const { userName } = await newUser(fixture.access);
    const bodies = [
      (await exchange(fixture, basic(userName, 'wrong'))).body,
      (await exchange(fixture, basic('unknown@example.com', 'wrong'))).body,
      (await exchange(fixture, basic('x'.repeat(5_000), 'wrong'))).body,
    ].map(({ error }) => ({ ...error, trace_id: '' }));
    expect(bodies[0]).toMatchObject({ code: 'unauthorized', reason: 'unknown', status: 401 });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  test('a 401 names the scheme of this endpoint', async () => {
    for (const wrong of [basic(generateApiKey()), basic('pk_live_x'), basic('unknown', 'wrong')]) {
      const { status, headers } = await exchange(fixture, wrong);
      expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="api"']);
    }
  });

  test('rejects unknown parameters and other methods', async () => {
    const { apiKey } = await newKey();
    const asked = await exchange(fixture, basic(apiKey)).query({ lifetime: '1y' });
    expect(asked.body.error).toMatchObject({ code: 'unknown_parameter', parameter: 'lifetime' });
    const keys = await request(fixture.app).get(JWKS_PATH).query({ kid: '1' });
    expect(keys.body.error).toMatchObject({ code: 'unknown_parameter', parameter: 'kid' });
    const got = await request(fixture.app).get(EXCHANGE).set('Authorization', basic(apiKey));
    expect([got.status, got.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });

  test('403 for correct credentials over plain HTTP', async () => {
    const own = await openFixture({ environment: { REQUIRE_HTTPS: 'true' } });
    const accountId = await own.access.accounts.create({ plan: 'free' });
    const { apiKey } = await own.access.accounts.issueKey({ accountId, origin: 'operator' });
    const plain = await exchange(own, basic(apiKey)).set('X-Forwarded-Proto', 'http');
    expect([plain.status, plain.body.error.code]).toEqual([403, 'https_required']);
    const safe = await exchange(own, basic(apiKey)).set('X-Forwarded-Proto', 'https');
    expect(safe.status).toBe(200);
  });

  test('counts exchanges by kind and outcome', async () => {
    const own = await openFixture();
    await exchange(own, basic(generateApiKey()));
    await exchange(own, basic('ada', 'wrong'));
    const metrics = await own.access.metrics.registry.metrics();
    const line = (kind: string) =>
      `vcds_token_exchanges_total{credentials="${kind}",outcome="unauthorized",service="access-api"} 1`;
    for (const kind of ['key', 'password']) expect(metrics).toContain(line(kind));
  });
});

describe('a token', () => {
  test('is accepted as bearer and as token=, not with another credential', async () => {
    const { apiKey } = await newKey();
    const { token } = (await exchange(fixture, basic(apiKey))).body;
    for (const answer of [await withToken(token), await usage().query({ token })]) {
      expect([answer.status, answer.body.limit]).toEqual([200, 10_000]);
    }
    const both = await withToken(token).query({ token: apiKey });
    expect(both.body.error.reason).toBe('malformed');
  });

  test('is invalid with its key: at once when revoked, to the millisecond when expired', async () => {
    const [revoked, expiring] = [await newKey(), await newKey({ expiresInSeconds: 60 })];
    const { token } = (await exchange(fixture, basic(revoked.apiKey))).body;
    expect((await withToken(token)).status).toBe(200);
    await fixture.access.accounts.revokeKey(revoked.keyId);
    expect(await reasonOf(token)).toBe('revoked');
    const short = (await exchange(fixture, basic(expiring.apiKey))).body.token;
    fixture.access.clock.advance(59_999);
    expect((await withToken(short)).status).toBe(200);
    fixture.access.clock.advance(1);
    expect(await reasonOf(short)).toBe('expired');
  });

  test.each<[string, (accountId: string, userName: string) => Promise<unknown>]>([
    ['replaced', (id, name) => loginsOf(fixture.access).set(id, name, `${PASSWORD}!`)],
    ['removed', (id) => loginsOf(fixture.access).remove(id)],
    ['revoked with its account', (id) => revokeAccount(fixture.access, id)],
  ])('of a password is invalid when that is %s', async (_, end) => {
    const { userName, accountId } = await newUser(fixture.access);
    const { token } = (await exchange(fixture, basic(userName, PASSWORD))).body;
    expect((await withToken(token)).status).toBe(200);
    await end(accountId, userName);
    expect(await reasonOf(token)).toBe('revoked');
    expect((await exchange(fixture, basic(userName, PASSWORD))).status).toBe(401);
  });

  test('is stored by its jti for at most an hour, and removed when it is found expired', async () => {
    const own = await openFixture();
    const { redis, accounts, clock } = own.access;
    const accountId = await accounts.create({ plan: 'free' });
    const { apiKey } = await accounts.issueKey({ accountId, origin: 'operator' });
    const { token } = (await exchange(own, basic(apiKey))).body;
    const key = legacyTokenKey(String(jwt.decode(token, { json: true })?.jti));
    expect(await redis.get(key)).toBe(digestOf(apiKey));
    const seconds = await redis.ttl(key);
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
    clock.advance(3_600_000);
    const late = await request(own.app).get(`${BASE}/usage`).query({ token });
    expect([late.status, late.body.error.reason]).toEqual([401, 'expired']);
    expect(await redis.exists(key)).toBe(0);
  });

  test('that is not in the store is invalid, even with a valid signature', async () => {
    const { apiKey } = await newKey();
    const { token } = (await exchange(fixture, basic(apiKey))).body;
    await fixture.access.redis.del(legacyTokenKey(String(jwt.decode(token, { json: true })?.jti)));
    expect(await reasonOf(token)).toBe('unknown');
  });

  test('is not in the log, nor is a password', async () => {
    const { userName } = await newUser(fixture.access);
    const { token } = (await exchange(fixture, basic(userName, PASSWORD))).body;
    await withToken(token);
    await usage().query({ token });
    await exchange(fixture, basic(userName, 'a wrong password'));
    expect(fixture.access.log()).toContain(`"route":"${EXCHANGE}"`);
    const parts = [token, PASSWORD, 'a wrong password', basic(userName, PASSWORD).slice(6)];
    for (const secret of [...parts, token.split('.')[2]]) {
      expect(fixture.access.log()).not.toContain(secret);
    }
  });
});

describe('published keys', () => {
  test('verify the token, and contain no private key', async () => {
    const { apiKey } = await newKey();
    const { token } = (await exchange(fixture, basic(apiKey))).body;
    const answer = await request(fixture.app).get(JWKS_PATH);
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.body.keys).toHaveLength(1);
    expect(Object.keys(answer.body.keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    const header = jwt.decode(token, { complete: true })?.header;
    expect(header).toMatchObject({ alg: 'RS256', kid: answer.body.keys[0].kid });
  });
});

test('503 while Redis is unavailable, for keys, passwords and tokens', async () => {
  const own = await openFixture();
  const { userName } = await newUser(own.access);
  const { token } = (await exchange(own, basic(userName, PASSWORD))).body;
  await own.close();
  for (const answer of [
    await exchange(own, basic(generateApiKey())),
    await exchange(own, basic(userName, PASSWORD)),
    await request(own.app).get(`${BASE}/usage`).query({ token }),
  ]) {
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    expect(answer.headers['retry-after']).toBe('30');
  }
});

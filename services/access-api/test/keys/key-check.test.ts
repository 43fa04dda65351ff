// Tests docs/spec/authentication.md 2.7.
import { describe, expect, test } from '@jest/globals';
import {
  createServiceTokenSigner,
  digestOf,
  generateApiKey,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
  NO_KEY,
  ownerKey,
} from '@vcds/credentials';
import { createMetrics } from '@vcds/service-kit';
import { createTestRedisServer } from '@vcds/test-kit';
import request from 'supertest';
import { createAccessApp } from '../../src/app.ts';
import { type Access, loggerTo, openAccess, SERVICE_SECRET } from '../access.ts';

const lines: string[] = [];
const access = await openAccess();
const { tokens } = access;
/** The internal listener, but for the check in the journal. */
const internalApp = ({ guard }: Access) =>
  createAccessApp({
    ...access,
    metrics: createMetrics('t'),
    checkKey: guard.check,
    logger: loggerTo(lines),
  }).internalApp;
const app = internalApp(access);

const token = (secret = SERVICE_SECRET) =>
  createServiceTokenSigner(secret, KEY_CHECK_PARTIES, access.clock)();
const ask = (body: object, bearer = token(), of = app) =>
  request(of).post(KEY_CHECK_PATH).set('Authorization', `Bearer ${bearer}`).send(body);
const check = (digest: unknown, bearer = token()) => ask({ digest }, bearer);

async function issue(options: { scopes?: ['news']; expiresInSeconds?: number } = {}) {
  const accountId = await access.accounts.create({ plan: 'starter' });
  return access.accounts.issueKey({ accountId, origin: 'operator', ...options });
}

describe('POST /internal/v1/keys/check', () => {
  test('a valid key gives its principal', async () => {
    const { apiKey, accountId, keyId } = await issue();
    const answer = await check(digestOf(apiKey));
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toEqual({
      principal: {
        accountId,
        keyId,
        plan: 'starter',
        scopes: null,
        expiresAt: null,
        creditLimit: null,
      },
    });
  });

  test('a narrowed key that expires gives scopes and expiry', async () => {
    const { apiKey } = await issue({ scopes: ['news'], expiresInSeconds: 3_600 });
    const { principal } = (await check(digestOf(apiKey))).body;
    expect(principal.scopes).toEqual(['news']);
    expect(principal.expiresAt).toBe('2025-01-15T13:00:00.000Z');
  });

  test('a key is rejected as unknown, revoked, or expired to the millisecond', async () => {
    expect((await check(digestOf(generateApiKey()))).body).toEqual({ rejected: 'unknown' });
    const revoked = await issue();
    await access.accounts.revokeKey(revoked.keyId);
    expect((await check(digestOf(revoked.apiKey))).body).toEqual({ rejected: 'revoked' });
    const expiring = await issue({ expiresInSeconds: 60 });
    access.clock.advance(59_999);
    expect((await check(digestOf(expiring.apiKey))).body).toHaveProperty('principal');
    access.clock.advance(1);
    expect((await check(digestOf(expiring.apiKey))).body).toEqual({ rejected: 'expired' });
  });

  test('a key presented through a token opens only while that token, for that key, is on record', async () => {
    const { apiKey } = await issue();
    const [digest, tokenId] = [digestOf(apiKey), crypto.randomUUID()];
    const through = (id: unknown) => ask({ digest, token_id: id });
    expect((await through(tokenId)).body).toEqual({ rejected: 'unknown' });
    await tokens.store(tokenId, digestOf(generateApiKey()));
    expect((await through(tokenId)).body).toEqual({ rejected: 'unknown' });
    await tokens.store(tokenId, digest);
    expect((await through(tokenId)).body).toHaveProperty('principal');
    await tokens.remove(tokenId);
    expect((await through(tokenId)).body).toEqual({ rejected: 'unknown' });
    expect((await through('no id')).status).toBe(400);
  });

  test.each([undefined, null, 'abc', 7, ['x'], 'A'.repeat(64)])(
    '400 bad_parameter for the digest %j',
    async (digest) => {
      const answer = await check(digest);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 'bad_parameter', parameter: 'digest' });
    },
  );

  test('401 without a valid service token', async () => {
    const digest = digestOf(generateApiKey());
    const bare = await request(app).post(KEY_CHECK_PATH).send({ digest });
    const foreign = await check(digest, token('another-secret-of-enough-characters!'));
    const old = token();
    access.clock.advance(120_000);
    const expired = await check(digest, old);
    for (const answer of [bare, foreign, expired]) {
      expect(answer.status).toBe(401);
      expect(answer.body.error.code).toBe('unauthorized');
    }
    expect(lines.join('')).toContain('service token rejected');
    expect(lines.join('')).not.toContain(old);
  });

  test('503 while Redis is out of reach', async () => {
    const { apiKey } = await issue();
    const other = await openAccess();
    await other.close();
    const answer = await ask({ digest: digestOf(apiKey) }, token(), internalApp(other));
    expect(answer.status).toBe(503);
    expect(answer.body.error.code).toBe('unavailable');
    expect(answer.headers['retry-after']).toBe('30');
  });
});

describe('the key checker', () => {
  test('while Redis is down keys are checked in the journal, with the same result', async () => {
    const server = await createTestRedisServer();
    const own = await openAccess({ redisUrl: server.url });
    const accountId = await own.accounts.create({ plan: 'growth' });
    const issueOwn = (options = {}) =>
      own.accounts.issueKey({ accountId, origin: 'operator' as const, ...options });
    const live = await issueOwn();
    const narrowed = await issueOwn({ scopes: ['news'], expiresInSeconds: 3_600 });
    const revoked = await issueOwn();
    await own.accounts.revokeKey(revoked.keyId);
    const expired = await issueOwn({ expiresInSeconds: 1 });
    own.clock.advance(1_000);
    const keys = [live, narrowed, revoked, expired].map(({ apiKey }) => apiKey);
    const checkAll = () =>
      Promise.all([...keys, generateApiKey()].map((key) => own.checkKey(digestOf(key))));
    const before = await checkAll();
    expect(before).toMatchObject([
      { principal: { accountId, keyId: live.keyId, plan: 'growth', scopes: null } },
      { principal: { keyId: narrowed.keyId, scopes: new Set(['news']) } },
      { rejected: 'revoked' },
      { rejected: 'expired' },
      { rejected: 'unknown' },
    ]);
    await server.kill();
    own.guard.invalidate();
    expect(await checkAll()).toEqual(before);
    // In the journal, though not yet in Redis: it takes effect at once.
    await expect(own.accounts.revokeKey(live.keyId)).rejects.toThrow();
    expect(await own.checkKey(digestOf(live.apiKey))).toEqual({ rejected: 'revoked' });
    await own.close();
    await server.drop();
  });

  test('a key that only the journal has is no unknown key while the journal fails', async () => {
    const own = await openAccess();
    const ended = await own.accounts.issueKey({
      accountId: await own.accounts.create({ plan: 'growth' }),
      origin: 'operator',
    });
    const digest = digestOf(ended.apiKey);
    await own.redis.del(ownerKey(digest));
    expect(await own.checkKey(digest)).toMatchObject({ principal: { keyId: ended.keyId } });
    await own.redis.del(ownerKey(digest));
    await own.owner.query('ALTER TABLE access.api_key RENAME TO away');
    const { internalApp } = createAccessApp({ ...own, metrics: createMetrics('t') });
    const bearer = createServiceTokenSigner(SERVICE_SECRET, KEY_CHECK_PARTIES, own.clock)();
    const answer = await ask({ digest }, bearer, internalApp);
    expect(answer.status).toBe(503);
    expect(own.log()).toContain('Keys are temporarily unavailable');
    // Nothing takes it for an outage of all keys.
    expect((await ask({ digest: NO_KEY }, bearer, internalApp)).body).toEqual({
      rejected: 'unknown',
    });
    await own.close();
  });

  test('without Redis and the journal, no key is valid', async () => {
    const { checkKey, close } = await openAccess();
    await close();
    await expect(checkKey(digestOf(generateApiKey()))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

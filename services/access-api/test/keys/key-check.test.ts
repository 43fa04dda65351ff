import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createServiceTokenSigner,
  digestOf,
  generateApiKey,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
} from '@vcds/credentials';
import { createInternalApp, createLogger, createMetrics } from '@vcds/service-kit';
import type { Express } from 'express';
import request from 'supertest';
import { keyCheckRoute } from '../../src/keys/key-check-route.ts';
import { createTokenStore } from '../../src/legacy/token-store.ts';
import { type Access, openAccess } from '../access.ts';

const SECRET = 'a-service-secret-of-enough-characters';
let access: Access;
let app: Express;
let lines: string[];

beforeAll(async () => {
  access = await openAccess();
  lines = [];
  app = createInternalApp({
    logger: createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } }),
    metrics: createMetrics('t'),
    checks: {},
    routes: [
      keyCheckRoute({
        checker: access.guard,
        tokens: createTokenStore(access.redis, access.clock),
        serviceTokenSecret: SECRET,
        clock: access.clock,
      }),
    ],
  });
});
afterAll(() => access.close());

const token = (secret = SECRET) =>
  createServiceTokenSigner(secret, KEY_CHECK_PARTIES, access.clock)();
const check = (digest: unknown, bearer = token()) =>
  request(app).post(KEY_CHECK_PATH).set('Authorization', `Bearer ${bearer}`).send({ digest });

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
      principal: { accountId, keyId, plan: 'starter', scopes: null, expiresAt: null },
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

  test('another plan counts from the next check on', async () => {
    const { apiKey, accountId } = await issue();
    await access.accounts.setPlan(accountId, 'scale');
    expect((await check(digestOf(apiKey))).body.principal.plan).toBe('scale');
  });

  test('one key of an account is revoked, its others are not', async () => {
    const first = await issue();
    const second = await access.accounts.issueKey({
      accountId: first.accountId,
      origin: 'account_page',
    });
    await access.accounts.revokeKey(first.keyId);
    expect((await check(digestOf(first.apiKey))).body).toEqual({ rejected: 'revoked' });
    expect((await check(digestOf(second.apiKey))).body).toHaveProperty('principal');
  });

  test('a key presented through a token opens only while that token, for that key, is on record', async () => {
    const { apiKey } = await issue();
    const [digest, tokenId] = [digestOf(apiKey), crypto.randomUUID()];
    const through = (id: unknown) =>
      request(app)
        .post(KEY_CHECK_PATH)
        .set('Authorization', `Bearer ${token()}`)
        .send({ digest, token_id: id });
    const tokens = createTokenStore(access.redis, access.clock);
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
    const down = createInternalApp({
      logger: createLogger({ service: 't', level: 'silent' }),
      metrics: createMetrics('t'),
      checks: {},
      routes: [
        keyCheckRoute({
          checker: other.guard,
          tokens: createTokenStore(other.redis, other.clock),
          serviceTokenSecret: SECRET,
          clock: access.clock,
        }),
      ],
    });
    await other.close();
    const answer = await request(down)
      .post(KEY_CHECK_PATH)
      .set('Authorization', `Bearer ${token()}`)
      .send({ digest: digestOf(apiKey) });
    expect(answer.status).toBe(503);
    expect(answer.body.error.code).toBe('unavailable');
    expect(answer.headers['retry-after']).toBe('30');
  });
});

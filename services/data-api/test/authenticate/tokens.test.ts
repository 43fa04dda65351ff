import { createHmac, createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  digestOf,
  type generateApiKey,
  legacyTokenKey,
  publishedKey,
  signLegacyToken,
} from '@vcds/credentials';
import {
  createLogger,
  createMetrics,
  createPublicApp,
  createRedis,
  type RedisClient,
  readParameters,
  redisReady,
  sendJson,
} from '@vcds/service-kit';
import {
  eventually,
  freePort,
  type IssuedAccount,
  killServices,
  PRODUCT_SECRET,
  type Product,
  spawnService,
  startProduct,
  testRsaKey,
} from '@vcds/test-kit';
import type { Express } from 'express';
import jwt from 'jsonwebtoken';
import request from 'supertest';
import {
  type Authenticator,
  type CacheResult,
  createAuthenticator,
} from '../../src/authenticate/index.ts';
import { RETRY_MS } from '../../src/authenticate/published-keys.ts';
import { metricsOf } from './cache-results.ts';

// The operator's commands are processes of their own.
jest.setTimeout(90_000);
/** A change comes into force within milliseconds. */
const FAST = { intervalMs: 2 };

const silent = createLogger({ service: 't', level: 'silent' });
const lines: string[] = [];
/** This process' time, where it is not everybody else's. */
let setWallMs: number | undefined;
/** Only a test lets age pass: what is remembered is forgotten when a change is heard of. */
let monotonicMs = 0;
const results: CacheResult[] = [];
let redis: RedisClient;
let product: Product;
const SIGNING_KEY = testRsaKey().pem;
/** Growth accounts with a key each, no two tests' the same; the first opens news and signals. */
let accounts: IssuedAccount[];
let authenticator: Authenticator;
let app: Express;

beforeAll(async () => {
  product = await startProduct({
    programs: ['access-api'],
    environment: { LEGACY_SIGNING_KEY: SIGNING_KEY },
  });
  redis = createRedis({ url: product.redis.url, name: 't', logger: silent });
  await redisReady(redis);
  const keys = [{ scopes: ['news', 'signals'] }, ...Array(7).fill({})];
  accounts = await product.issue(...keys.map((key) => ({ plan: 'growth', keys: [key] })));
  ({ authenticator, app } = fixture());
}, 120_000);
afterAll(async () => {
  await authenticator.close();
  redis.disconnect();
  killServices();
  await product.close();
});

/** An app whose one endpoint answers with the principal. */
function fixture(accessInternalUrl = product.accessInternalUrl) {
  const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
  const made = createAuthenticator({
    accessInternalUrl,
    serviceTokenSecret: PRODUCT_SECRET,
    redisUrl: product.redis.url,
    logger,
    clock: { wallMs: () => setWallMs ?? Date.now(), monotonicMs: () => monotonicMs },
    metrics: metricsOf(results),
  });
  const served = createPublicApp({
    logger,
    metrics: createMetrics('t'),
    settings: { requireHttps: false, trustProxy: undefined },
    routes: [
      {
        method: 'GET',
        path: '/v2/me',
        handler: async (call, response) => {
          const principal = await made.authenticate(call, readParameters(call));
          const scopes = principal.scopes === null ? null : [...principal.scopes];
          sendJson(response, 200, { ...principal, scopes });
        },
      },
    ],
  });
  return { authenticator: made, app: served };
}

/** An account no other test has had, and its key. */
function next(): { accountId: string; key: string; keyId: string } {
  const { accountId, keys: [key] = [] } = accounts.shift() ?? {};
  if (accountId === undefined || key === undefined) throw new Error('Every account is taken.');
  return { accountId, key: key.apiKey, keyId: key.keyId };
}

async function exchange(key: string): Promise<string> {
  const answer = await fetch(`${product.accessUrl}/v2/auth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  });
  const { token } = (await answer.json()) as { token: string };
  return token;
}

const call = (token: string, on = app) =>
  request(on).get('/v2/me').set('Authorization', `Bearer ${token}`);

async function reasonOf(token: string): Promise<string> {
  const answer = await call(token);
  expect(answer.status).toBe(401);
  expect(answer.body.error.code).toBe('unauthorized');
  return answer.body.error.reason;
}

describe('a token of the older exchange', () => {
  test('opens what its key opens, as bearer and as token=, and is in no log', async () => {
    const { accountId, key, keyId } = next();
    const token = await exchange(key);
    const expected = { accountId, keyId, plan: 'growth', scopes: ['news', 'signals'] };
    expect((await call(token)).body).toMatchObject(expected);
    expect((await request(app).get('/v2/me').query({ token })).body).toMatchObject(expected);
    expect(lines.join('')).toContain(keyId);
    for (const text of [lines.join(''), product.output()]) {
      for (const part of token.split('.').slice(1)) expect(text).not.toContain(part);
    }
  });

  test('is remembered like a key, and forgotten as soon as the key is revoked', async () => {
    const { key, keyId } = next();
    const token = await exchange(key);
    results.length = 0;
    await eventually(async () => {
      expect((await call(token)).status).toBe(200);
      return results.at(-1) === 'hit';
    }, FAST);
    await product.admin(['revoke', keyId]);
    await eventually(async () => (await call(token)).body.error?.reason === 'revoked', FAST);
  });

  test('follows its key to another plan', async () => {
    const { accountId, key } = next();
    const token = await exchange(key);
    results.length = 0;
    await eventually(async () => {
      await call(token);
      return results.at(-1) === 'hit';
    }, FAST);
    await product.admin(['plan', accountId, 'scale']);
    await eventually(async () => (await call(token)).body.plan === 'scale', FAST);
  });

  test('that has expired is refused as that, to the second', async () => {
    const { key } = next();
    const token = await exchange(key);
    const { exp = 0 } = jwt.decode(token, { json: true }) ?? {};
    results.length = 0;
    await eventually(async () => {
      await call(token);
      return results.at(-1) === 'hit';
    }, FAST);
    // The token is remembered: nobody is asked who would mind the time.
    setWallMs = exp * 1000 - 1;
    expect((await call(token)).status).toBe(200);
    setWallMs = exp * 1000;
    expect(await reasonOf(token)).toBe('expired');
    setWallMs = undefined;
  });

  test('that is not on record is refused, though the signature is right', async () => {
    const { accountId, key } = next();
    const token = await exchange(key);
    const { jti = '' } = jwt.decode(token, { json: true }) ?? {};
    await redis.del(legacyTokenKey(jti));
    expect(await reasonOf(token)).toBe('unknown');
    const digest = digestOf(key as ReturnType<typeof generateApiKey>);
    const wish = { tokenId: randomUUID(), accountId, digest };
    expect(await reasonOf(signLegacyToken(wish, createPrivateKey(SIGNING_KEY)))).toBe('unknown');
  });

  test('of another make is refused: alg none, HS256 under the public key, a foreign key', async () => {
    const { key } = next();
    const token = await exchange(key);
    const [, payload = ''] = token.split('.');
    const publicKey = createPublicKey(SIGNING_KEY);
    const { kid } = publishedKey(publicKey);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hmac = `${part({ alg: 'HS256', kid })}.${payload}`;
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    const claims = jwt.decode(token, { json: true }) ?? {};
    for (const forged of [
      `${part({ alg: 'none', kid })}.${payload}.AAAA`,
      `${hmac}.${createHmac('sha256', pem).update(hmac).digest('base64url')}`,
      jwt.sign(claims, testRsaKey(1).pem, { algorithm: 'RS256', keyid: kid }),
      jwt.sign(claims, testRsaKey(1).pem, { algorithm: 'RS256', keyid: 'other' }),
    ]) {
      expect(await reasonOf(forged)).toBe('unknown');
    }
    expect(await reasonOf(`${part({ alg: 'none', kid })}.${payload}.`)).toBe('malformed');
  });
});

test('when the signing key is replaced, new tokens open at once and old ones while their key is published', async () => {
  const { key } = next();
  const old = await exchange(key);
  expect((await call(old)).status).toBe(200);
  await product.processes['access-api']?.end();
  const replaced = { ...product.environment, LEGACY_SIGNING_KEY: testRsaKey(1).pem + SIGNING_KEY };
  await spawnService('access-api', replaced).ready();
  const fresh = await exchange(key);
  expect(jwt.decode(fresh, { complete: true })?.header.kid).not.toBe(
    jwt.decode(old, { complete: true })?.header.kid,
  );
  // Keys are asked for again once a second at most.
  monotonicMs += RETRY_MS;
  expect((await call(fresh)).status).toBe(200);
  expect((await call(old)).status).toBe(200);
});

test('503, never open, while access-api is away', async () => {
  const { key } = next();
  const token = await exchange(key);
  const away = fixture(`http://127.0.0.1:${await freePort()}`);
  const answer = await call(token, away.app);
  expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
  await away.authenticator.close();
});

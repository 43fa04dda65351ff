// Tests docs/spec/legacy-tokens.md 15.4, 15.5, 15.7.
import { createHmac, createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  digestOf,
  type generateApiKey,
  type KeySet,
  legacyTokenKey,
  publishedKey,
  signLegacyToken,
} from '@vcds/credentials';
import { createLogger, createRedis, redisReady } from '@vcds/service-kit';
import {
  closedAfterAll,
  eventually,
  freePort,
  killServices,
  spawnService,
  startProduct,
  testClock,
  testRsaKey,
} from '@vcds/test-kit';
import jwt from 'jsonwebtoken';
import request from 'supertest';
import {
  FRESH_MS,
  publishedKeys,
  RETRY_MS,
  STALE_MS_MAX,
} from '../../src/authenticate/published-keys.ts';
import { FAST, openAuthenticator } from './support.ts';

/** The wall clock of the authenticator, if it is not the system's. */
let setWallMs: number | undefined;
const silent = createLogger({ service: 't', level: 'silent' });
/** The age of cache entries: without a test that changes it, only a published change removes them. */
let monotonicMs = 0;
const clock = { wallMs: () => setWallMs ?? Date.now(), monotonicMs: () => monotonicMs };
const SIGNING_KEY = testRsaKey().pem;

const product = await closedAfterAll(
  startProduct({
    programs: ['access-api'],
    environment: { LEGACY_SIGNING_KEY: SIGNING_KEY },
  }),
);
await closedAfterAll({ close: killServices });
const redis = createRedis({ url: product.redis.url, name: 't', logger: silent });
await redisReady(redis);
const keys = [{ scopes: ['news', 'signals'] }, ...Array(7).fill({})];
/** Growth accounts with a key each, one per test; the first key reads news and signals. */
const accounts = await product.issue(...keys.map((key) => ({ plan: 'growth', keys: [key] })));
const { app, lines, untilCached } = await closedAfterAll(
  openAuthenticator(product, { clock, redisUrl: product.redis.url }),
);
afterAll(() => redis.disconnect());

/** An account that no other test uses, and its key. */
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

describe('a token of the legacy exchange', () => {
  test('has the principal of its key, as bearer and as token=, and is not logged', async () => {
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

  test('is cached like a key until the key is revoked', async () => {
    const { key, keyId } = next();
    const token = await exchange(key);
    await untilCached(() => call(token));
    await product.admin(['revoke', keyId]);
    await eventually(async () => (await call(token)).body.error?.reason === 'revoked', FAST);
  });

  test('follows its key to another plan', async () => {
    const { accountId, key } = next();
    const token = await exchange(key);
    await untilCached(() => call(token));
    await product.admin(['plan', accountId, 'scale']);
    await eventually(async () => (await call(token)).body.plan === 'scale', FAST);
  });

  test('is expired from the second of its exp on', async () => {
    const { key } = next();
    const token = await exchange(key);
    const { exp = 0 } = jwt.decode(token, { json: true }) ?? {};
    await untilCached(() => call(token));
    // The token is cached, so access-api does not check the time.
    setWallMs = exp * 1000 - 1;
    expect((await call(token)).status).toBe(200);
    setWallMs = exp * 1000;
    expect(await reasonOf(token)).toBe('expired');
    setWallMs = undefined;
  });

  test('is unknown without a record in Redis, although the signature is valid', async () => {
    const { accountId, key } = next();
    const token = await exchange(key);
    const { jti = '' } = jwt.decode(token, { json: true }) ?? {};
    await redis.del(legacyTokenKey(jti));
    expect(await reasonOf(token)).toBe('unknown');
    const digest = digestOf(key as ReturnType<typeof generateApiKey>);
    const claims = { tokenId: randomUUID(), accountId, digest };
    expect(await reasonOf(signLegacyToken(claims, createPrivateKey(SIGNING_KEY)))).toBe('unknown');
  });

  test('is rejected if forged: alg none, HS256 with the public key, another signing key', async () => {
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

test('after a change of the signing key, new tokens and those of a published old key are valid', async () => {
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
  // The published keys are fetched once a second at most.
  monotonicMs += RETRY_MS;
  expect((await call(fresh)).status).toBe(200);
  expect((await call(old)).status).toBe(200);
});

test('is answered 503 while access-api is unavailable', async () => {
  const { key } = next();
  const token = await exchange(key);
  const accessInternalUrl = `http://127.0.0.1:${await freePort()}`;
  const away = openAuthenticator(product, { clock, accessInternalUrl });
  const answer = await call(token, away.app);
  expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
  await away.close();
});

const { publicKey } = testRsaKey();
const setOf = (...kids: string[]): KeySet => new Map(kids.map((kid) => [kid, publicKey]));

/** Keys of a source that publishes a given set, or fails. */
function fixture(...kids: string[]) {
  const clock = testClock();
  const source = { set: setOf(...kids), isDown: false, asked: 0 };
  const fetch = async (): Promise<KeySet> => {
    source.asked += 1;
    if (source.isDown) throw new Error('down');
    return source.set;
  };
  return { clock, source, keys: publishedKeys(fetch, clock) };
}

describe('published keys', () => {
  test('are fetched once for concurrent calls', async () => {
    const { keys, source } = fixture('a');
    const found = await Promise.all(Array.from({ length: 100 }, () => keys('a')));
    expect(new Set(found)).toEqual(new Set([publicKey]));
    await keys('a');
    expect(source.asked).toBe(1);
  });

  test('are fetched again for an unknown key id, once a second at most', async () => {
    const { keys, source, clock } = fixture('a');
    await keys('a');
    source.set = setOf('b', 'a');
    expect(await keys('b')).toBeUndefined();
    clock.advance(RETRY_MS);
    expect(await keys('b')).toBe(publicKey);
    for (let i = 0; i < 1_000; i++) {
      expect(await keys(`guess ${i}`)).toBeUndefined();
      clock.advance(1);
    }
    expect(source.asked).toBe(2);
    await keys('guess');
    expect(source.asked).toBe(3);
  });

  test('are not used for more than five minutes after their removal from the set', async () => {
    const { keys, source, clock } = fixture('a');
    await keys('a');
    source.set = setOf('b');
    clock.advance(FRESH_MS);
    expect(await keys('a')).toBe(publicKey);
    clock.advance(1);
    expect(await keys('a')).toBeUndefined();
  });

  test('during an outage, are used for an hour, and unknown ones fail without a rejection', async () => {
    const { keys, source, clock } = fixture('a');
    await keys('a');
    source.isDown = true;
    clock.advance(STALE_MS_MAX);
    expect(await keys('a')).toBe(publicKey);
    await expect(keys('b')).rejects.toThrow('down');
    clock.advance(1);
    await expect(keys('a')).rejects.toThrow('down');
    source.isDown = false;
    clock.advance(RETRY_MS);
    expect(await keys('a')).toBe(publicKey);
    expect(await keys('b')).toBeUndefined();
  });

  test('fail without a rejection when the first fetch fails', async () => {
    const { keys, source } = fixture('a');
    source.isDown = true;
    await expect(keys('a')).rejects.toThrow('down');
  });
});

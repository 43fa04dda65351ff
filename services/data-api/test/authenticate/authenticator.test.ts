// Tests docs/spec/authentication.md 2.1, 2.2, 2.5.
// Tests docs/spec/operations.md 16.3.
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  digestOf,
  generateAccessToken,
  generateApiKey,
  type KeyDigest,
  ownerKey,
} from '@vcds/credentials';
import { type Clock, createLogger, createRedis } from '@vcds/service-kit';
import {
  closedAfterAll,
  eventually,
  freePort,
  type IssuedKey,
  killServices,
  PRODUCT_SECRET,
  spawnService,
  startProduct,
  testClock,
} from '@vcds/test-kit';
import type { Express } from 'express';
import request from 'supertest';
import { createAuthenticator } from '../../src/authenticate/index.ts';
import { type AuthenticatorFixture, FAST, openAuthenticator } from './support.ts';

const SILENT = createLogger({ service: 't', level: 'silent' });
const DAY_SECONDS = 24 * 60 * 60;
/** Cache entries do not age: only a published change removes them. */
const AGELESS: Clock = { wallMs: () => Date.now(), monotonicMs: () => 0 };

const product = await closedAfterAll(startProduct({ programs: ['access-api'] }));
const SPECIAL = [{ scopes: ['news', 'signals'] }, { expiresInSeconds: DAY_SECONDS }];
const spec = { plan: 'growth', keys: [...SPECIAL, ...Array(11).fill({})] };
const [account] = await product.issue(spec);
const [first, second, ...others] = account?.keys ?? [];
if (first === undefined || second === undefined) {
  throw new Error('No keys were issued.');
}
const accountId = account.accountId;
const [narrowed, expiring, unused] = [first, second, others];
await closedAfterAll({ close: killServices });

/** Another access-api on the same stores. */
const startAnother = (port: number) =>
  spawnService('access-api', {
    ...product.environment,
    ACCESS_API_PORT: '0',
    ACCESS_API_INTERNAL_PORT: String(port),
  });

const opened: AuthenticatorFixture[] = [];
afterEach(async () => {
  for (const fixture of opened.splice(0)) await fixture.close();
});

function open(options: Partial<Parameters<typeof openAuthenticator>[1]> = {}) {
  const fixture = openAuthenticator(product, { clock: AGELESS, ...options });
  opened.push(fixture);
  return fixture;
}

function takeKey(): IssuedKey {
  const key = unused.pop();
  if (key === undefined) throw new Error('All keys are used; issue more before the tests.');
  return key;
}

const call = (app: Express, key: string) => request(app).get('/v2/me').set('X-Api-Key', key);

describe('the principal of a call', () => {
  test('a key gives its principal in all three forms, and the endpoint does not see token', async () => {
    const { app } = open();
    const { apiKey: key, keyId } = narrowed;
    const expected = { accountId, keyId, plan: 'growth', scopes: ['news', 'signals'], left: {} };
    expect((await call(app, key)).body).toMatchObject(expected);
    const bearer = await request(app).get('/v2/me').set('Authorization', `Bearer ${key}`);
    expect(bearer.body).toMatchObject(expected);
    const query = await request(app).get('/v2/me').query({ token: key, $top: '5' });
    expect(query.body).toMatchObject({ ...expected, left: { $top: '5' } });
  });

  test('the log line of a call has account and key id, and no part of the key', async () => {
    const { app, lines } = open();
    const { apiKey: key, keyId } = takeKey();
    await call(app, key);
    await request(app).get('/v2/me').query({ token: key });
    await request(app).get(`/v2/${key}`);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ accountId, keyId, status: 200 });
    for (const text of [lines.join(''), product.output()]) {
      expect(text).not.toContain(key.slice(8));
      expect(text).not.toContain(digestOf(key as ReturnType<typeof generateApiKey>));
    }
  });
});

describe('the reason of a 401', () => {
  test('missing, malformed, unknown, revoked', async () => {
    const { app, results } = open();
    const { apiKey: key, keyId } = takeKey();
    const mistyped = key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const reason = async (sent: string) => {
      const answer = await call(app, sent);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
      expect(answer.body.error).toMatchObject({ code: 'unauthorized', status: 401 });
      expect(answer.text).not.toContain('pk_live_');
      return answer.body.error.reason;
    };
    expect(await reason('')).toBe('missing');
    expect(await reason(mistyped)).toBe('malformed');
    expect(await reason('eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln')).toBe('unknown');
    // None of these needs a key check.
    expect(results).toEqual([]);
    expect(await reason(generateApiKey())).toBe('unknown');
    await product.admin(['key', 'revoke', keyId]);
    expect(await reason(key)).toBe('revoked');
  });

  test('expired, to the millisecond, for a cached key', async () => {
    const clock = testClock(new Date().toISOString());
    const { apiKey: key } = expiring;
    const { app, untilCached } = open({ redisUrl: product.redis.url, clock });
    const expiresAtMs = Date.parse((await call(app, key)).body.expiresAt);
    await untilCached(() => call(app, key));
    clock.setWall(new Date(expiresAtMs - 1).toISOString());
    expect((await call(app, key)).status).toBe(200);
    clock.setWall(new Date(expiresAtMs).toISOString());
    const expired = await call(app, key);
    expect(expired.status).toBe(401);
    expect(expired.body.error.reason).toBe('expired');
  });
});

test('an access token that was made up needs no key check, so that no number of them delays one', async () => {
  const { app, results } = open({ resource: 'https://data.example.com/mcp' });
  const send = async (token: string, path = '/mcp') => {
    const answer = await request(app).get(path).set('Authorization', `Bearer ${token}`);
    return [answer.status, answer.body.error.reason];
  };
  const token = generateAccessToken(PRODUCT_SECRET);
  const other = generateAccessToken('another-secret-of-enough-characters');
  const last = token.endsWith('A') ? 'Q' : 'A';
  for (const made of [other, token.slice(0, -1) + last, token.replace('vcds_at_', 'vcds_at_x')]) {
    expect((await send(made))[0]).toBe(401);
  }
  expect(await send(token, '/v2/me')).toEqual([401, 'unknown']);
  expect(results).toEqual([]);
  expect(await send(token)).toEqual([401, 'unknown']);
  expect(results).toEqual(['miss']);
});

test('an access token is accepted in Authorization: Bearer only, and named when it is malformed', async () => {
  const { app } = open({ resource: 'https://data.example.com/mcp' });
  const token = generateAccessToken(PRODUCT_SECRET);
  const elsewhere = [
    request(app).get('/mcp').query({ token }),
    request(app).get('/mcp').set('X-Api-Key', token),
    request(app).get('/mcp').set('X-Api-Key', token).set('Authorization', `Bearer ${token}`),
  ];
  for (const { status, body } of await Promise.all(elsewhere)) {
    expect([status, body.error.reason]).toEqual([401, 'malformed']);
    expect(body.error.message).toContain('Authorization header only');
  }
  const { body } = await request(app).get('/mcp').set('Authorization', 'Bearer vcds_at_garbage');
  expect(body.error.message).toContain('access token is malformed');
});

test('a flood of unknown keys fails no check of an issued key, and leaves the service ready', async () => {
  const redis = createRedis({ url: product.redis.url, name: 't', logger: SILENT });
  const isIssued = async (digest: KeyDigest) => (await redis.exists(ownerKey(digest))) === 1;
  const { app, authenticator } = open({ isIssued });
  const [created] = await product.issue({ plan: 'free', keys: [{}] });
  const known = [...unused.slice(-5).map(({ apiKey }) => apiKey), created?.keys[0]?.apiKey ?? ''];
  const guesses = Array.from({ length: 300 }, () => call(app, generateApiKey()));
  const flood = guesses.map(async (guess) => (await guess).status);
  for (const key of known) expect((await call(app, key)).status).toBe(200);
  await authenticator.ready();
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 429]));
  redis.disconnect();
});

test('while Redis cannot tell issued keys from guesses, none is rejected as a guess', async () => {
  const { app } = open({ isIssued: async () => Promise.reject(new Error('Redis is away')) });
  expect((await call(app, takeKey().apiKey)).status).toBe(200);
  const flood = Array.from({ length: 300 }, async () => (await call(app, generateApiKey())).status);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 503]));
});

describe('the key cache', () => {
  test('a key is checked once while the stream of key changes is live', async () => {
    const { app, results, untilCached } = open({ redisUrl: product.redis.url });
    const { apiKey: key } = takeKey();
    await untilCached(() => call(app, key));
    const asked = results.filter((result) => result === 'miss').length;
    await Promise.all(Array.from({ length: 50 }, () => call(app, key)));
    expect(results.filter((result) => result === 'miss')).toHaveLength(asked);
  });

  test('concurrent calls with a new key cause one check', async () => {
    const { app, results, untilCached } = open({ redisUrl: product.redis.url });
    const warm = takeKey();
    await untilCached(() => call(app, warm.apiKey));
    const { apiKey: key } = takeKey();
    results.length = 0;
    await Promise.all(Array.from({ length: 50 }, () => call(app, key)));
    expect(results.filter((result) => result === 'miss')).toHaveLength(1);
  });

  test('without a stream of key changes, every call is checked', async () => {
    const { app, results } = open();
    const { apiKey: key } = takeKey();
    for (let i = 0; i < 3; i++) await call(app, key);
    expect(results).toEqual(['miss', 'miss', 'miss']);
  });

  test('a revocation and a change of plan apply to a cached key at once', async () => {
    const { app, untilCached } = open({ redisUrl: product.redis.url });
    const { apiKey: key, keyId } = takeKey();
    await untilCached(() => call(app, key));
    await product.admin(['plan', accountId, 'scale']);
    await eventually(async () => (await call(app, key)).body.plan === 'scale', FAST);
    await product.admin(['plan', accountId, 'growth']);
    await untilCached(() => call(app, key));
    await product.admin(['key', 'revoke', keyId]);
    await eventually(async () => (await call(app, key)).body.error?.reason === 'revoked', FAST);
  });
});

describe('while access-api is unavailable', () => {
  /** The process that the first test restarted. */
  let another: ReturnType<typeof startAnother>;

  test('unknown keys get 503, and a cached key is accepted until it expires', async () => {
    const port = await freePort();
    const second = startAnother(port);
    const { app, untilCached } = open({
      redisUrl: product.redis.url,
      accessInternalUrl: await second.ready(),
    });
    const { apiKey: key } = takeKey();
    await untilCached(() => call(app, key));
    await second.end();
    expect((await call(app, key)).status).toBe(200);
    const other = await call(app, generateApiKey());
    expect(other.status).toBe(503);
    expect(other.body.error.code).toBe('unavailable');
    expect(other.headers['retry-after']).toBe('30');
    another = startAnother(port);
    await another.ready();
    expect((await call(app, generateApiKey())).body.error.reason).toBe('unknown');
  });

  test('a key checked in the last 60 s is accepted, unless it was revoked since', async () => {
    const clock = testClock(new Date().toISOString());
    const { app, authenticator, results, untilCached } = open({
      redisUrl: product.redis.url,
      accessInternalUrl: await another.ready(),
      clock,
    });
    const [good, revoked] = [takeKey(), takeKey()];
    for (const { apiKey } of [good, revoked]) {
      expect((await call(app, apiKey)).status).toBe(200);
    }
    await untilCached(() => call(app, good.apiKey));
    await another.end();
    clock.advance(30_000);
    expect((await call(app, good.apiKey)).status).toBe(200);
    expect(results.at(-1)).toBe('stale');
    // A revocation is published in Redis, with or without access-api.
    await product.admin(['key', 'revoke', revoked.keyId]);
    await eventually(async () => (await call(app, revoked.apiKey)).status !== 200, FAST);
    expect((await call(app, revoked.apiKey)).status).toBe(503);
    await authenticator.ready();
    clock.advance(30_000);
    const over = await call(app, good.apiKey);
    expect([over.status, over.headers['retry-after']]).toEqual([503, '30']);
    await expect(authenticator.ready()).rejects.toThrow();
  });

  test('a service secret that access-api does not share gives 503 and a log line', async () => {
    const authenticator = createAuthenticator({
      accessInternalUrl: product.accessInternalUrl,
      serviceTokenSecret: 'another-secret-of-enough-characters',
      isIssued: async () => true,
      logger: createLogger({ service: 't', level: 'silent' }),
    });
    const key = generateApiKey();
    const call = { rawHeaders: ['X-Api-Key', key] } as never;
    await expect(authenticator.authenticate(call, new Map())).rejects.toMatchObject({
      code: 'unavailable',
    });
    await eventually(() => product.output().includes('service token rejected'), FAST);
  });
});

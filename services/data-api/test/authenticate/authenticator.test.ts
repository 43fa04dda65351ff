import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { digestOf, generateApiKey } from '@vcds/credentials';
import {
  type Clock,
  createLogger,
  createMetrics,
  createPublicApp,
  readParameters,
  sendJson,
} from '@vcds/service-kit';
import {
  eventually,
  freePort,
  type IssuedKey,
  killServices,
  PRODUCT_SECRET,
  type Product,
  spawnService,
  startProduct,
  testClock,
} from '@vcds/test-kit';
import type { Express } from 'express';
import request from 'supertest';
import {
  type Authenticator,
  type CacheResult,
  createAuthenticator,
  withoutCredential,
} from '../../src/authenticate/index.ts';
import { metricsOf } from './cache-results.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** No age passes: what is remembered is forgotten when a change is heard of, and not before. */
const AGELESS: Clock = { wallMs: () => Date.now(), monotonicMs: () => 0 };

// Each of the operator's commands is a process of its own.
jest.setTimeout(90_000);
/** A change comes into force within milliseconds. */
const FAST = { intervalMs: 2 };

let product: Product;
let accountId: string;
/** Keys of the account nobody has used yet. */
let unused: IssuedKey[];
let narrowed: IssuedKey;
let expiring: IssuedKey;
let lines: string[];

beforeAll(async () => {
  product = await startProduct({ programs: ['access-api'] });
  const special = [{ scopes: ['news', 'signals'] }, { expiresInSeconds: DAY_SECONDS }];
  const spec = { plan: 'growth', keys: [...special, ...Array(10).fill({})] };
  const [account] = await product.issue(spec);
  const [first, second, ...others] = account?.keys ?? [];
  if (first === undefined || second === undefined) {
    throw new Error('No keys were issued.');
  }
  accountId = account.accountId;
  [narrowed, expiring, unused] = [first, second, others];
  lines = [];
}, 120_000);
afterAll(async () => {
  killServices();
  await product.close();
});

/** Another access-api on the same stores. */
const another = (port: number) =>
  spawnService('access-api', {
    ...product.environment,
    ACCESS_API_PORT: '0',
    ACCESS_API_INTERNAL_PORT: String(port),
  });

interface Fixture {
  readonly app: Express;
  readonly authenticator: Authenticator;
  readonly results: CacheResult[];
}

/** An app whose one endpoint answers with the principal and the parameters left to read. */
function fixture(
  options: { redisUrl?: string; accessInternalUrl?: string; clock?: Clock } = {},
): Fixture {
  const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
  const results: CacheResult[] = [];
  const authenticator = createAuthenticator({
    accessInternalUrl: options.accessInternalUrl ?? product.accessInternalUrl,
    serviceTokenSecret: PRODUCT_SECRET,
    redisUrl: options.redisUrl,
    logger,
    clock: options.clock ?? AGELESS,
    metrics: metricsOf(results),
  });
  const app = createPublicApp({
    logger,
    metrics: createMetrics('t'),
    settings: { requireHttps: false, trustProxy: undefined },
    routes: [
      {
        method: 'GET',
        path: '/v2/me',
        handler: async (call, response) => {
          const parameters = readParameters(call);
          const principal = await authenticator.authenticate(call, parameters);
          const scopes = principal.scopes === null ? null : [...principal.scopes];
          const left = Object.fromEntries(withoutCredential(parameters));
          sendJson(response, 200, { ...principal, scopes, left });
        },
      },
    ],
  });
  return { app, authenticator, results };
}

function takeKey(): IssuedKey {
  const key = unused.pop();
  if (key === undefined) throw new Error('All keys are used; issue more before the tests.');
  return key;
}

const call = (app: Express, key: string) => request(app).get('/v2/me').set('X-Api-Key', key);

describe('who is calling', () => {
  test('a key gives its principal, in each of its three forms; token is not left to read', async () => {
    const { app, authenticator } = fixture();
    const { apiKey: key, keyId } = narrowed;
    const expected = { accountId, keyId, plan: 'growth', scopes: ['news', 'signals'], left: {} };
    expect((await call(app, key)).body).toMatchObject(expected);
    const bearer = await request(app).get('/v2/me').set('Authorization', `Bearer ${key}`);
    expect(bearer.body).toMatchObject(expected);
    const query = await request(app).get('/v2/me').query({ token: key, $top: '5' });
    expect(query.body).toMatchObject({ ...expected, left: { $top: '5' } });
    await authenticator.close();
  });

  test('the log line of a call has account and key id, and nothing of the key', async () => {
    const { app, authenticator } = fixture();
    const { apiKey: key, keyId } = takeKey();
    lines = [];
    await call(app, key);
    await request(app).get('/v2/me').query({ token: key });
    await request(app).get(`/v2/${key}`);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ accountId, keyId, status: 200 });
    for (const text of [lines.join(''), product.output()]) {
      expect(text).not.toContain(key.slice(8));
      expect(text).not.toContain(digestOf(key as ReturnType<typeof generateApiKey>));
    }
    await authenticator.close();
  });
});

describe('401 says why', () => {
  test('missing, malformed, unknown, revoked', async () => {
    const { app, authenticator, results } = fixture();
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
    // So far nobody had to be asked.
    expect(results).toEqual([]);
    expect(await reason(generateApiKey())).toBe('unknown');
    await product.admin(['key', 'revoke', keyId]);
    expect(await reason(key)).toBe('revoked');
    await authenticator.close();
  });

  test('expired, to the millisecond, though the key is remembered', async () => {
    const clock = testClock(new Date().toISOString());
    const results: CacheResult[] = [];
    const authenticator = createAuthenticator({
      accessInternalUrl: product.accessInternalUrl,
      serviceTokenSecret: PRODUCT_SECRET,
      redisUrl: product.redis.url,
      logger: createLogger({ service: 't', level: 'silent' }),
      metrics: metricsOf(results),
      clock,
    });
    const { apiKey: key } = expiring;
    const seen = fixture();
    const { body } = await call(seen.app, key);
    const expiresAtMs = Date.parse(body.expiresAt);
    await seen.authenticator.close();
    const app = createPublicApp({
      logger: createLogger({ service: 't', level: 'silent' }),
      metrics: createMetrics('t'),
      settings: { requireHttps: false, trustProxy: undefined },
      routes: [
        {
          method: 'GET',
          path: '/v2/me',
          handler: async (each, response) => {
            sendJson(response, 200, await authenticator.authenticate(each, new Map()));
          },
        },
      ],
    });
    await eventually(async () => {
      expect((await call(app, key)).status).toBe(200);
      return results.at(-1) === 'hit';
    }, FAST);
    clock.setWall(new Date(expiresAtMs - 1).toISOString());
    expect((await call(app, key)).status).toBe(200);
    clock.setWall(new Date(expiresAtMs).toISOString());
    const expired = await call(app, key);
    expect(expired.status).toBe(401);
    expect(expired.body.error.reason).toBe('expired');
    await authenticator.close();
  });
});

describe('what is remembered', () => {
  test('a key is asked about once while changes are followed', async () => {
    const { app, authenticator, results } = fixture({ redisUrl: product.redis.url });
    const { apiKey: key } = takeKey();
    await eventually(async () => {
      expect((await call(app, key)).status).toBe(200);
      return results.at(-1) === 'hit';
    }, FAST);
    const asked = results.filter((result) => result === 'miss').length;
    await Promise.all(Array.from({ length: 50 }, () => call(app, key)));
    expect(results.filter((result) => result === 'miss')).toHaveLength(asked);
    await authenticator.close();
  });

  test('a crowd of calls with a new key asks once', async () => {
    const { app, authenticator, results } = fixture({ redisUrl: product.redis.url });
    const warm = takeKey();
    await eventually(async () => {
      await call(app, warm.apiKey);
      return results.at(-1) === 'hit';
    }, FAST);
    const { apiKey: key } = takeKey();
    results.length = 0;
    await Promise.all(Array.from({ length: 50 }, () => call(app, key)));
    expect(results.filter((result) => result === 'miss')).toHaveLength(1);
    await authenticator.close();
  });

  test('without a stream to follow, every call is checked afresh', async () => {
    const { app, authenticator, results } = fixture();
    const { apiKey: key } = takeKey();
    for (let i = 0; i < 3; i++) await call(app, key);
    expect(results).toEqual(['miss', 'miss', 'miss']);
    await authenticator.close();
  });

  test('a revocation ends a remembered key at once, another plan changes it', async () => {
    const { app, authenticator, results } = fixture({ redisUrl: product.redis.url });
    const { apiKey: key, keyId } = takeKey();
    await eventually(async () => {
      await call(app, key);
      return results.at(-1) === 'hit';
    }, FAST);
    await product.admin(['plan', accountId, 'scale']);
    await eventually(async () => (await call(app, key)).body.plan === 'scale', FAST);
    await product.admin(['plan', accountId, 'growth']);
    await eventually(async () => {
      await call(app, key);
      return results.at(-1) === 'hit';
    }, FAST);
    await product.admin(['key', 'revoke', keyId]);
    await eventually(async () => (await call(app, key)).body.error?.reason === 'revoked', FAST);
    await authenticator.close();
  });
});

describe('when access-api cannot say', () => {
  test('503, never open, and a key that is remembered still opens while it may', async () => {
    const port = await freePort();
    const second = another(port);
    const { app, authenticator, results } = fixture({
      redisUrl: product.redis.url,
      accessInternalUrl: await second.ready(),
    });
    const { apiKey: key } = takeKey();
    await eventually(async () => {
      await call(app, key);
      return results.at(-1) === 'hit';
    }, FAST);
    await second.end();
    expect((await call(app, key)).status).toBe(200);
    const other = await call(app, generateApiKey());
    expect(other.status).toBe(503);
    expect(other.body.error.code).toBe('unavailable');
    expect(other.headers['retry-after']).toBe('30');
    const third = another(port);
    await third.ready();
    expect((await call(app, generateApiKey())).body.error.reason).toBe('unknown');
    await third.end();
    await authenticator.close();
  });

  test('a key verified in the last 60 s stays good; revoked meanwhile, it is refused', async () => {
    const second = another(await freePort());
    const clock = testClock(new Date().toISOString());
    const { app, authenticator, results } = fixture({
      redisUrl: product.redis.url,
      accessInternalUrl: await second.ready(),
      clock,
    });
    const [good, revoked] = [takeKey(), takeKey()];
    for (const { apiKey } of [good, revoked]) {
      expect((await call(app, apiKey)).status).toBe(200);
    }
    await eventually(async () => {
      await call(app, good.apiKey);
      return results.at(-1) === 'hit';
    }, FAST);
    await second.end();
    clock.advance(30_000);
    expect((await call(app, good.apiKey)).status).toBe(200);
    expect(results.at(-1)).toBe('stale');
    // Whoever revokes it announces that in Redis, with or without access-api.
    await product.admin(['key', 'revoke', revoked.keyId]);
    await eventually(async () => (await call(app, revoked.apiKey)).status !== 200, FAST);
    expect((await call(app, revoked.apiKey)).status).toBe(503);
    await authenticator.ready();
    clock.advance(30_000);
    const over = await call(app, good.apiKey);
    expect([over.status, over.headers['retry-after']]).toEqual([503, '30']);
    await expect(authenticator.ready()).rejects.toThrow();
    await authenticator.close();
  });

  test('503 for a service secret that access-api does not share, and the log says so', async () => {
    const authenticator = createAuthenticator({
      accessInternalUrl: product.accessInternalUrl,
      serviceTokenSecret: 'another-secret-that-nobody-else-knows',
      logger: createLogger({ service: 't', level: 'silent' }),
    });
    const key = generateApiKey();
    const call = { rawHeaders: ['X-Api-Key', key] } as never;
    await expect(authenticator.authenticate(call, new Map())).rejects.toMatchObject({
      code: 'unavailable',
    });
    await eventually(() => product.output().includes('service token rejected'), FAST);
    await authenticator.close();
  });
});

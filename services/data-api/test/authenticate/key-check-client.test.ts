// Tests docs/spec/authentication.md 2.7.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  digestOf,
  encodeKeyCheck,
  generateApiKey,
  KEY_CHANGES_STREAM,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
  type KeyDigest,
  verifyServiceToken,
} from '@vcds/credentials';
import {
  ApiError,
  createLogger,
  createRedis,
  type RedisClient,
  redisReady,
} from '@vcds/service-kit';
import {
  createTestRedisServer,
  eventually,
  freePort,
  type TestRedisServer,
  testClock,
} from '@vcds/test-kit';
import {
  consumeKeyChanges,
  type KeyChangesConsumer,
} from '../../src/authenticate/key-changes-consumer.ts';
import {
  createKeyCheckClient,
  type KeyCheckClient,
} from '../../src/authenticate/key-check-client.ts';

const SECRET = 'a-service-secret-of-enough-characters';
const clock = testClock();
const digest = digestOf(generateApiKey());
const UNKNOWN = encodeKeyCheck({ rejected: 'unknown' });
let server: Server | undefined;
let client: KeyCheckClient | undefined;

afterEach(() => {
  client?.close();
  server?.closeAllConnections();
  server?.close();
});

/** A client of a server with this handler. */
async function against(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return clientOf((server.address() as AddressInfo).port);
}

function clientOf(port: number): KeyCheckClient {
  client = createKeyCheckClient({
    accessInternalUrl: `http://127.0.0.1:${port}`,
    serviceTokenSecret: SECRET,
    clock,
  });
  return client;
}

describe('a key check', () => {
  test('posts the digest with a valid service token', async () => {
    const seen: { url: string; body: string }[] = [];
    const { check } = await against(async (request, response) => {
      const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
      expect(scheme).toBe('Bearer');
      verifyServiceToken(token, SECRET, KEY_CHECK_PARTIES, clock);
      seen.push({ url: `${request.method} ${request.url}`, body: await text(request) });
      response.end(UNKNOWN);
    });
    expect(await check({ digest })).toEqual({ rejected: 'unknown' });
    expect(seen).toEqual([{ url: `POST ${KEY_CHECK_PATH}`, body: JSON.stringify({ digest }) }]);
  });

  test('reuses its connection', async () => {
    const ports = new Set<number | undefined>();
    const { check } = await against((request, response) => {
      ports.add(request.socket.remotePort);
      response.end(UNKNOWN);
    });
    for (let i = 0; i < 20; i++) await check({ digest });
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  test('is sent again when the server resets a reused connection', async () => {
    let requests = 0;
    const { check } = await against((request, response) => {
      requests += 1;
      if (requests === 2) request.socket.resetAndDestroy();
      else response.end(UNKNOWN);
    });
    await check({ digest });
    expect(await check({ digest })).toEqual({ rejected: 'unknown' });
    expect(requests).toBe(3);
  });

  test('is sent twice at most when connections are reset', async () => {
    let requests = 0;
    const { check } = await against((request) => {
      requests += 1;
      request.socket.resetAndDestroy();
    });
    await expect(check({ digest })).rejects.toMatchObject({ code: expect.any(String) });
    expect(requests).toBe(2);
  });

  test.each([
    ['a 500', 500, UNKNOWN],
    ['a 401', 401, '{"error":{}}'],
    ['a redirect', 302, UNKNOWN],
    ['HTML', 200, '<html>'],
    ['an empty body', 200, ''],
    ['no principal', 200, '{"principal":{}}'],
    ['a body that is too long', 200, 'x'.repeat(100_000)],
  ])('fails on %s', async (_what, status, body) => {
    const { check } = await against((_request, response) => {
      response.statusCode = status;
      response.end(body);
    });
    await expect(check({ digest })).rejects.toThrow();
  });

  test('fails after two seconds without a response', async () => {
    const { check } = await against(() => undefined);
    // A stalled process delays both timers.
    const late = delay(4_000, 'too late', { ref: false });
    await expect(Promise.race([check({ digest }), late])).rejects.toThrow(
      'did not respond within 2000 ms',
    );
  });

  test('fails when the port is closed', async () => {
    const { check } = clientOf(await freePort());
    await expect(check({ digest })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('is not sent after three failures to connect in a row until a probe succeeds', async () => {
    const port = await freePort();
    const { check } = clientOf(port);
    const closed = { code: 'ECONNREFUSED' };
    for (let i = 0; i < 3; i++) await expect(check({ digest })).rejects.toMatchObject(closed);
    await expect(check({ digest })).rejects.toThrow('does not respond');
    server = createServer((_request, response) => response.end(UNKNOWN)).listen(port, '127.0.0.1');
    await eventually(async () => (await check({ digest }).catch(() => undefined)) !== undefined);
    expect(await check({ digest })).toEqual({ rejected: 'unknown' });
  });

  test('is sent after any number of error responses', async () => {
    let requests = 0;
    const { check } = await against((_request, response) => {
      requests += 1;
      response.statusCode = 503;
      response.end(UNKNOWN);
    });
    for (let i = 0; i < 9; i++) await expect(check({ digest })).rejects.toThrow('responded 503');
    expect(requests).toBe(9);
  });

  test('of an issued key passes any number of checks of other keys, of which 50 a second are made', async () => {
    const held: ServerResponse[] = [];
    const api = await against(async (request, response) => {
      if ((await text(request)).includes(digest)) response.end(UNKNOWN);
      else held.push(response);
    });
    const others = Array.from({ length: 1_000 }, () =>
      api.checkOther({ digest: digestOf(generateApiKey()) }).catch((error: unknown) => error),
    );
    for (let i = 0; i < 20; i++)
      expect(await api.check({ digest })).toEqual({ rejected: 'unknown' });
    expect(held.length).toBeLessThanOrEqual(4);
    const isAnswering = setInterval(() => {
      for (const response of held.splice(0)) response.end(UNKNOWN);
    }, 1);
    const outcomes = await Promise.all(others);
    clearInterval(isAnswering);
    const rejected = outcomes.filter((one) => one instanceof ApiError);
    expect(rejected[0]).toMatchObject({ code: 'too_many_requests' });
    expect(outcomes.length - rejected.length).toBe(20);
    const other = () => api.checkOther({ digest });
    for (let i = 20; i < 50; i++) expect(await other()).toEqual({ rejected: 'unknown' });
    await expect(other()).rejects.toMatchObject({ code: 'too_many_requests' });
    clock.advance(1_000);
    expect(await other()).toEqual({ rejected: 'unknown' });
  });

  test('reports the time of the last response, of a probe too', async () => {
    const { probe, answeredAtMs } = await against((_request, response) => response.end(UNKNOWN));
    expect(answeredAtMs()).toBe(Number.NEGATIVE_INFINITY);
    await probe();
    expect(answeredAtMs()).toBe(clock.monotonicMs());
  });
});

describe('the consumer of key changes', () => {
  const logger = createLogger({ service: 't', level: 'silent' });
  /** Longer than any test: only the connection and the injected clock end a read. */
  const COMMAND_MS_MAX = 30_000;
  let redis: TestRedisServer;
  let writer: RedisClient;
  let consumer: KeyChangesConsumer;
  let received: KeyDigest[];
  let gaps: number;

  beforeEach(async () => {
    redis = await createTestRedisServer();
    const commandTimeoutMs = COMMAND_MS_MAX;
    writer = createRedis({ url: redis.url, name: 'writer', logger, commandTimeoutMs });
    await redisReady(writer);
    received = [];
    gaps = 0;
  });
  afterEach(async () => {
    await consumer.close();
    writer.disconnect();
    await redis.drop();
  });

  function follow(): void {
    const options = { url: redis.url, name: 'consumer', logger, commandTimeoutMs: COMMAND_MS_MAX };
    consumer = consumeKeyChanges({
      redis: createRedis(options),
      clock,
      logger,
      onChange: (digest) => void received.push(digest),
      onGap: () => {
        gaps += 1;
      },
    });
  }

  async function until(isSo: () => boolean): Promise<void> {
    await eventually(isSo, { intervalMs: 5 });
  }

  async function change(): Promise<KeyDigest> {
    const digest = digestOf(generateApiKey());
    await writer.xadd(KEY_CHANGES_STREAM, '*', 'digest', digest);
    return digest;
  }

  test('receives every change in order from its start on', async () => {
    await change();
    follow();
    await until(() => consumer.isLive());
    const expected: KeyDigest[] = [];
    for (let i = 0; i < 50; i++) expected.push(await change());
    await until(() => received.length === 50);
    expect(received).toEqual(expected);
  });

  test('is live on a stream that does not exist yet, and receives its first entry', async () => {
    follow();
    await until(() => consumer.isLive());
    const digest = await change();
    await until(() => received.length > 0);
    expect(received).toEqual([digest]);
  });

  test('skips invalid entries', async () => {
    follow();
    await until(() => consumer.isLive());
    await writer.xadd(KEY_CHANGES_STREAM, '*', 'other', 'x');
    await writer.xadd(KEY_CHANGES_STREAM, '*', 'digest', 'not-a-digest');
    const digest = await change();
    await until(() => received.length > 0);
    expect(received).toEqual([digest]);
  });

  test('is live only if XREAD returned within the last two seconds', async () => {
    follow();
    expect(consumer.isLive()).toBe(false);
    await until(() => consumer.isLive());
    clock.advance(2_000);
    expect(consumer.isLive()).toBe(true);
    clock.advance(1);
    expect(consumer.isLive()).toBe(false);
    const before = gaps;
    await until(() => consumer.isLive());
    expect(gaps).toBeGreaterThan(before);
  });

  test('is not live while Redis is down, reports a gap, and continues after the restart', async () => {
    follow();
    await until(() => consumer.isLive());
    const before = gaps;
    const closed = once(writer, 'close');
    await redis.kill();
    await closed;
    await until(() => !consumer.isLive());
    expect(gaps).toBeGreaterThan(before);
    await redis.restart();
    await redisReady(writer);
    await until(() => consumer.isLive());
    const digest = await change();
    await until(() => received.includes(digest));
  });
});

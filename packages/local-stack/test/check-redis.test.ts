import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRedisServer, freePort, type TestRedisServer } from '@vcds/test-kit';
import { checkRedis } from '../src/stack/check-redis.ts';

let redis: TestRedisServer;
beforeAll(async () => {
  redis = await createTestRedisServer();
});
afterAll(() => redis.drop());

async function errorOf(REDIS_URL: string | undefined, queue?: string): Promise<string> {
  const environment = queue === undefined ? {} : { QUEUE_REDIS_URL: queue };
  const error = await checkRedis({ redisUrl: REDIS_URL, environment }).catch(
    (thrown: unknown) => thrown,
  );
  return error instanceof Error ? error.message : 'no error';
}

test('one that responds is no error, and none need be set', async () => {
  expect(await errorOf(redis.url)).toBe('no error');
  expect(await errorOf(undefined)).toBe('no error');
});

test('an unreachable one is an error with its address, without its password', async () => {
  const port = await freePort();
  const message = `The Redis at 127.0.0.1:${port} cannot be used: connect ECONNREFUSED`;
  expect(await errorOf(`redis://me:secret@127.0.0.1:${port}/3`)).toContain(message);
  expect(await errorOf(redis.url, `redis://:secret@127.0.0.1:${port}`)).toContain(message);
});

test('one with another password is an error with its reply', async () => {
  const url = new URL(redis.url);
  url.password = 'not-the-password';
  url.username = 'unknown';
  expect(await errorOf(url.href)).toMatch(
    /^The Redis at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS/,
  );
});

test('one that is too old is an error', async () => {
  const info = '# Server\r\nredis_version:6.2.14\r\n';
  const server = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const [, count] of text.matchAll(/\*(\d+)\r\n/g)) {
        const isInfo = count === '2' && /info/i.test(text);
        socket.write(isInfo ? `$${info.length}\r\n${info}\r\n` : '-ERR unknown command\r\n');
      }
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  expect(await errorOf(`redis://127.0.0.1:${port}`)).toBe(
    `The Redis at 127.0.0.1:${port} is version 6.2.14; 7 or newer is required.`,
  );
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

test('clusters and Sentinels are not checked', async () => {
  expect(await errorOf('redis://127.0.0.1:1,redis://127.0.0.1:2')).toBe('no error');
  expect(await errorOf('redis+sentinel://127.0.0.1:1/primary')).toBe('no error');
});

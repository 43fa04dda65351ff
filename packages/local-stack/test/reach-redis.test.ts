import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestRedisServer, freePort, type TestRedisServer } from '@vcds/test-kit';
import { reachRedis } from '../src/stack/reach-redis.ts';

let redis: TestRedisServer;
beforeAll(async () => {
  redis = await createTestRedisServer();
});
afterAll(() => redis.drop());

async function refusal(REDIS_URL: string | undefined, queue?: string): Promise<string> {
  const environment = queue === undefined ? {} : { QUEUE_REDIS_URL: queue };
  const error = await reachRedis({ redisUrl: REDIS_URL, environment }).catch(
    (thrown: unknown) => thrown,
  );
  return error instanceof Error ? error.message : 'not refused';
}

test('one that answers is taken, and none need be named', async () => {
  expect(await refusal(redis.url)).toBe('not refused');
  expect(await refusal(undefined)).toBe('not refused');
});

test('one that is not there is named at once, without its password', async () => {
  const port = await freePort();
  const said = `The Redis at 127.0.0.1:${port} cannot be used: connect ECONNREFUSED`;
  expect(await refusal(`redis://me:secret@127.0.0.1:${port}/3`)).toContain(said);
  expect(await refusal(redis.url, `redis://:secret@127.0.0.1:${port}`)).toContain(said);
});

test('one that wants another password is named with its own words', async () => {
  const url = new URL(redis.url);
  url.password = 'not-the-password';
  url.username = 'nobody';
  expect(await refusal(url.href)).toMatch(
    /^The Redis at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS/,
  );
});

test('one that is too old is said to be', async () => {
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
  expect(await refusal(`redis://127.0.0.1:${port}`)).toBe(
    `The Redis at 127.0.0.1:${port} is version 6.2.14; 7 or newer is needed.`,
  );
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

test('clusters and Sentinels are left to the services', async () => {
  expect(await refusal('redis://127.0.0.1:1,redis://127.0.0.1:2')).toBe('not refused');
  expect(await refusal('redis+sentinel://127.0.0.1:1/primary')).toBe('not refused');
});

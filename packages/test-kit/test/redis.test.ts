import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestRedis, createTestRedisServer } from '@vcds/test-kit';
import { openTestServers, type TestServers } from '@vcds/test-kit/servers';
import { Redis } from 'ioredis';

async function withClient<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

describe('a test Redis', () => {
  // A separate server even if the environment names one, which stays unchanged.
  let own: TestServers;
  beforeAll(async () => {
    own = await openTestServers({ ...process.env, TEST_REDIS_URL: '' });
  });
  afterAll(() => own.close());

  test('is not touched by what happens in another', async () => {
    const [one, two] = [await createTestRedis(), await createTestRedis()];
    await withClient(one.url, (client) => client.set('key', 'one'));
    expect(await withClient(two.url, (client) => client.get('key'))).toBeNull();
    await withClient(two.url, (client) => client.flushdb());
    expect(await withClient(one.url, (client) => client.get('key'))).toBe('one');
    await one.drop();
    await two.drop();
  });

  test('is empty although its number was used before', async () => {
    const leftIn = new Set<string>();
    for (;;) {
      const { url, drop } = await createTestRedis();
      const size = await withClient(url, (client) => client.dbsize());
      await withClient(url, (client) => client.set('key', 'left'));
      await drop();
      expect(size).toBe(0);
      // Another test may have taken the number meanwhile.
      if (leftIn.has(url)) break;
      leftIn.add(url);
    }
  });

  test.each<[string, ...string[]]>([
    ['FLUSHALL'],
    ['CONFIG', 'SET', 'maxmemory', '1mb'],
    ['CLIENT', 'PAUSE', '1'],
    ['CLIENT', 'KILL', 'TYPE', 'normal'],
    ['SCRIPT', 'FLUSH'],
    ['SWAPDB', '1', '2'],
    ['SHUTDOWN', 'NOSAVE'],
  ])('rejects commands that would affect other tests: %s %s', async (command, ...args) => {
    const url = await own.claimRedis();
    await withClient(url, (client) =>
      expect(client.call(command, ...args)).rejects.toThrow('NOPERM'),
    );
  });
});

describe('a Redis server of a test of its own', () => {
  test('keeps what was written through a crash when durable', async () => {
    const server = await createTestRedisServer({ durable: true });
    await withClient(server.url, async (client) => {
      await client.config('SET', 'appendfsync', 'always');
      await client.set('key', 'kept');
    });
    await server.kill();
    await server.restart();
    expect(await withClient(server.url, (client) => client.get('key'))).toBe('kept');
    await server.drop();
  });

  test('takes further configuration', async () => {
    const server = await createTestRedisServer({ configuration: ['maxclients 77'] });
    const setting = await withClient(server.url, (client) => client.config('GET', 'maxclients'));
    expect(setting).toEqual(['maxclients', '77']);
    await server.drop();
  });

  test('evicts nothing', async () => {
    const server = await createTestRedisServer();
    const policy = await withClient(server.url, (client) =>
      client.config('GET', 'maxmemory-policy'),
    );
    expect(policy).toEqual(['maxmemory-policy', 'noeviction']);
    await server.drop();
  });
});

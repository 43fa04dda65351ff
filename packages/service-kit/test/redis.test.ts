import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestRedisServer, freePort, type TestRedisServer } from '@vcds/test-kit';
import { Cluster, Redis } from 'ioredis';
import { closeRedis, createLogger, createRedis, redisReady } from '../src/index.ts';

const lines: string[] = [];
const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
const open = (url: string, commandTimeoutMs?: number) =>
  createRedis({ url, name: 'test', logger, ...(commandTimeoutMs ? { commandTimeoutMs } : {}) });

describe('a single Redis', () => {
  let server: TestRedisServer;
  beforeAll(async () => {
    server = await createTestRedisServer();
  });
  afterAll(() => server.drop());

  test('answers once ready', async () => {
    const client = open(server.url);
    await redisReady(client);
    expect(await client.ping()).toBe('PONG');
    await redisReady(client);
    await closeRedis(client);
  });

  test('a command before the connection is there fails at once instead of waiting', async () => {
    const client = open(server.url);
    await expect(client.ping()).rejects.toThrow();
    await redisReady(client);
    await closeRedis(client);
  });

  test('a client whose connection has just gone is closed without complaint', async () => {
    const client = createRedis({ url: server.url, name: 'test', logger }) as Redis;
    await redisReady(client);
    const ended = new Promise((resolve) => client.once('end', resolve));
    client.stream.destroy();
    expect(client.status).toBe('ready');
    await closeRedis(client);
    await ended;
  });

  test('a command without an answer fails within its time', async () => {
    const client = open(server.url, 100);
    await redisReady(client);
    const startedAt = performance.now();
    await expect(client.blpop('nothing', 30)).rejects.toThrow('timed out');
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    client.disconnect();
  });

  test('what is under way when Redis dies is rejected, not repeated; it serves again when back', async () => {
    const client = open(server.url);
    await redisReady(client);
    await client.del('counter');
    // The second command waits behind the first, so the server has not carried it out.
    const outcomes = Promise.allSettled([client.blpop('nothing', 0), client.incr('counter')]);
    await server.kill();
    for (const outcome of await outcomes) expect(outcome.status).toBe('rejected');
    await expect(client.ping()).rejects.toThrow();
    await server.restart();
    await redisReady(client);
    expect(await client.get('counter')).toBeNull();
    await closeRedis(client);
  });

  test('a patient client keeps commands through an outage', async () => {
    const client = createRedis({ url: server.url, name: 'patient', logger, isPatient: true });
    await redisReady(client);
    await server.kill();
    const answer = client.incr('kept');
    await server.restart();
    expect(await answer).toBe(1);
    await closeRedis(client);
  });
});

test('a Redis that is not there is reported after the time given', async () => {
  const client = open(`redis://127.0.0.1:${await freePort()}`);
  await expect(redisReady(client, 200)).rejects.toThrow('not reachable after 200 ms');
  await closeRedis(client);
  expect(lines.join('')).toContain('ECONNREFUSED');
});

test('waiting for a Redis ends when the client is closed', async () => {
  const client = open(`redis://127.0.0.1:${await freePort()}`);
  const outcome = expect(redisReady(client)).rejects.toThrow('was closed');
  client.disconnect();
  await outcome;
});

describe('the forms of a URL', () => {
  test('a comma separated list is a Cluster', () => {
    const client = open('redis://user:p%40ss@127.0.0.1:1,127.0.0.1:2');
    expect(client).toBeInstanceOf(Cluster);
    expect((client as Cluster).options.redisOptions).toMatchObject({
      username: 'user',
      password: 'p@ss',
      maxRetriesPerRequest: 0,
    });
    client.disconnect();
  });

  test('redis+sentinel:// names the group, its sentinels and the database', () => {
    const client = open('redis+sentinel://user:secret@127.0.0.1:1,127.0.0.1/main/2');
    expect(client).toBeInstanceOf(Redis);
    expect((client as Redis).options).toMatchObject({
      name: 'main',
      db: 2,
      username: 'user',
      password: 'secret',
      sentinels: [
        { host: '127.0.0.1', port: 1 },
        { host: '127.0.0.1', port: 26_379 },
      ],
    });
    client.disconnect();
  });

  test('a Sentinel URL without a group is refused with the form it should have', () => {
    expect(() => open('redis+sentinel://127.0.0.1:1')).toThrow('redis+sentinel://host:port');
  });
});

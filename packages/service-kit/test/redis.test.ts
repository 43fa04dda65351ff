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

  test('is usable once ready', async () => {
    const client = open(server.url);
    await redisReady(client);
    expect(await client.ping()).toBe('PONG');
    await redisReady(client);
    await closeRedis(client);
  });

  test('a password is replaced while clients are connected, since a user can have two', async () => {
    const operator = open(server.url);
    await redisReady(operator);
    const rule = (...words: string[]) => operator.call('ACL', 'SETUSER', 'service', ...words);
    const urlWith = (password: string) => {
      const url = new URL(server.url);
      [url.username, url.password] = ['service', password];
      return url.href;
    };
    await rule('on', '>old', '~*', '+@all');
    const running = open(urlWith('old'));
    await redisReady(running);
    await rule('>new');
    const restarted = open(urlWith('new'));
    await redisReady(restarted);
    await rule('<old');
    expect([await running.ping(), await restarted.ping()]).toEqual(['PONG', 'PONG']);
    const late = new Redis(urlWith('old'), { lazyConnect: true, retryStrategy: () => null });
    late.on('error', () => undefined);
    await expect(late.ping()).rejects.toThrow();
    for (const client of [operator, running, restarted]) await closeRedis(client);
  });

  test('the commands of one iteration of the event loop are sent by one write', async () => {
    const client = createRedis({ url: server.url, name: 'test', logger }) as Redis;
    await redisReady(client);
    let writes = 0;
    const { stream } = client;
    const { _write: write, _writev: writeAll } = stream;
    stream._write = (...args) => {
      writes += 1;
      write.apply(stream, args);
    };
    stream._writev = (...args) => {
      writes += 1;
      writeAll?.apply(stream, args);
    };
    const replies = await Promise.all(['a', 'b', 'c'].map((text) => client.echo(text)));
    expect([replies, writes]).toEqual([['a', 'b', 'c'], 1]);
    expect([await client.echo('d'), writes]).toEqual(['d', 2]);
    await closeRedis(client);
  });

  test('a command before the connection is open fails at once', async () => {
    const client = open(server.url);
    await expect(client.ping()).rejects.toThrow();
    await redisReady(client);
    await closeRedis(client);
  });

  test('closing a client that has just lost its connection succeeds', async () => {
    const client = createRedis({ url: server.url, name: 'test', logger }) as Redis;
    await redisReady(client);
    const ended = new Promise((resolve) => client.once('end', resolve));
    client.stream.destroy();
    expect(client.status).toBe('ready');
    await closeRedis(client);
    await ended;
  });

  test('a command without a reply times out', async () => {
    const client = open(server.url, 100);
    await redisReady(client);
    await expect(client.blpop('nothing', 0)).rejects.toThrow('timed out');
    client.disconnect();
  });

  test('pending commands are rejected when Redis is killed, not retried; it reconnects', async () => {
    const client = open(server.url);
    await redisReady(client);
    await client.del('counter');
    // The second command waits for the first, so the server has not executed it.
    const outcomes = Promise.allSettled([client.blpop('nothing', 0), client.incr('counter')]);
    await server.kill();
    for (const outcome of await outcomes) expect(outcome.status).toBe('rejected');
    await expect(client.ping()).rejects.toThrow();
    await server.restart();
    await redisReady(client);
    expect(await client.get('counter')).toBeNull();
    await closeRedis(client);
  });

  test('a client with an offline queue keeps commands during an outage', async () => {
    const client = createRedis({ url: server.url, name: 'queue', logger, hasOfflineQueue: true });
    await redisReady(client);
    await server.kill();
    const reply = client.incr('kept');
    await server.restart();
    expect(await reply).toBe(1);
    await closeRedis(client);
  });
});

test('redisReady rejects after its timeout if Redis is unreachable', async () => {
  const client = open(`redis://127.0.0.1:${await freePort()}`);
  await expect(redisReady(client, 200)).rejects.toThrow('not reachable after 200 ms');
  await closeRedis(client);
  expect(lines.join('')).toContain('ECONNREFUSED');
});

test('redisReady rejects if the client is closed', async () => {
  const client = open(`redis://127.0.0.1:${await freePort()}`);
  const outcome = expect(redisReady(client)).rejects.toThrow('was closed');
  client.disconnect();
  await outcome;
});

describe('the forms of a URL', () => {
  test('a comma-separated list is a Cluster', () => {
    const client = open('redis://user:p%40ss@127.0.0.1:1,127.0.0.1:2');
    expect(client).toBeInstanceOf(Cluster);
    expect((client as Cluster).options.redisOptions).toMatchObject({
      username: 'user',
      password: 'p@ss',
      maxRetriesPerRequest: 0,
    });
    client.disconnect();
  });

  test('redis+sentinel:// has the group, its sentinels and the database', () => {
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

  test('a Sentinel URL without a group is an error that shows the valid form', () => {
    expect(() => open('redis+sentinel://127.0.0.1:1')).toThrow('redis+sentinel://host:port');
  });
});

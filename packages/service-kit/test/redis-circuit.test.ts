import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import {
  createTestRedisCluster,
  createTestRedisServer,
  freePort,
  type TestRedisServer,
} from '@vcds/test-kit';
import type { Cluster, Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { closeRedis, createLogger, createRedis, redisReady } from '../src/index.ts';

jest.setTimeout(90_000);

const lines: string[] = [];
const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
const registry = new Registry();
const open = (url: string, commandTimeoutMs = 100) =>
  createRedis({ url, name: 'test', logger, registry, commandTimeoutMs });
let server: TestRedisServer;
beforeAll(async () => {
  server = await createTestRedisServer();
});
afterAll(() => server.drop());

/** Stops the server's process while `during` runs: it is silent, and keeps its connections. */
async function whileFrozen(redis: Redis, during: () => Promise<void>): Promise<void> {
  const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
  process.kill(pid, 'SIGSTOP');
  try {
    await during();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
const outcomeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: Error) => (error.name === 'CircuitOpenError' ? 'refused' : error.message),
  );
const untilAnswered = async (ask: () => Promise<unknown>): Promise<void> => {
  while ((await outcomeOf(ask())) !== 'answered') await delay(5);
};
const untilRefused = async (ask: () => Promise<unknown>): Promise<void> => {
  while ((await outcomeOf(ask())) !== 'refused') await delay(1);
};
const metric = async (name: string): Promise<number | undefined> =>
  (await registry.getSingleMetric(name)?.get())?.values[0]?.value;

test('a silent Redis is sent nothing after three time-outs; it is used again once it answers', async () => {
  const client = open(server.url) as Redis;
  await redisReady(client);
  await whileFrozen(client, async () => {
    for (let i = 0; i < 3; i++) {
      expect(await outcomeOf(client.incr('counter'))).toBe('Command timed out');
    }
    await untilRefused(() => client.ping());
    const refusedBefore = (await metric('vcds_redis_commands_refused_total')) ?? 0;
    const outcomes = Array.from({ length: 500 }, () => outcomeOf(client.incr('counter')));
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['refused']));
    expect(await metric('vcds_redis_circuits_open')).toBe(1);
    expect(await metric('vcds_redis_commands_refused_total')).toBe(refusedBefore + 500);
  });
  await untilAnswered(() => client.ping());
  expect(Number(await client.get('counter'))).toBeLessThanOrEqual(3);
  expect(await metric('vcds_redis_circuits_open')).toBe(0);
  const said = lines.filter((line) => line.includes('redis does not answer; commands are refused'));
  expect(said).toHaveLength(1);
  await closeRedis(client);
});

test('a caller that repeats a refused command at once does not keep Redis from being used again', async () => {
  const client = open(server.url) as Redis;
  await redisReady(client);
  await whileFrozen(client, () => untilRefused(() => client.ping()));
  let outcome = await outcomeOf(client.ping());
  while (outcome !== 'answered') outcome = await outcomeOf(client.ping());
  await closeRedis(client);
});

test('commands are refused alike while the connection is made again', async () => {
  const client = open(server.url) as Redis;
  await redisReady(client);
  lines.length = 0;
  await whileFrozen(client, async () => {
    await untilRefused(() => client.ping());
    while (client.status === 'ready') await delay(5);
    const outcomes = Array.from({ length: 20 }, () => outcomeOf(client.ping()));
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['refused']));
    expect(lines.join('')).not.toContain('redis answers again');
  });
  await untilAnswered(() => client.ping());
  await closeRedis(client);
});

test('commands of one pipeline are all sent or all refused', async () => {
  const client = open(server.url) as Redis;
  await redisReady(client);
  await whileFrozen(client, async () => {
    await untilRefused(() => client.ping());
    const results = (await client.pipeline().incr('piped').incr('piped').exec()) ?? [];
    expect(results.map(([error]) => error?.name)).toEqual(['CircuitOpenError', 'CircuitOpenError']);
  });
  await untilAnswered(() => client.ping());
  await client.del('piped');
  expect(await client.pipeline().incr('piped').incr('piped').exec()).toEqual([
    [null, 1],
    [null, 2],
  ]);
  await closeRedis(client);
});

test('an error Redis answers is an answer: nothing is refused', async () => {
  const client = open(server.url) as Redis;
  await redisReady(client);
  await client.set('text', 'no number');
  for (let i = 0; i < 10; i++) {
    expect(await outcomeOf(client.incr('text'))).toContain('not an integer');
  }
  expect(await client.ping()).toBe('PONG');
  await closeRedis(client);
});

test('a connection that went silent for good is given up and made again', async () => {
  const proxy = await silencingProxy(Number(new URL(server.url).port));
  const url = new URL(server.url);
  url.port = String(proxy.port);
  const client = open(url.href) as Redis;
  await redisReady(client);
  proxy.silence();
  await untilRefused(() => client.ping());
  await untilAnswered(() => client.ping());
  expect(proxy.connections()).toBeGreaterThan(1);
  await closeRedis(client);
  await proxy.close();
});

test('of a cluster, only the node that is silent is refused', async () => {
  // Nothing takes over from the frozen node while the test looks.
  const cluster = await createTestRedisCluster({ nodeTimeoutMs: 60_000 });
  const client = open(cluster.url, 300) as Cluster;
  await redisReady(client);
  const masters = client.nodes('master');
  const [frozen] = masters;
  if (frozen === undefined || masters.length < 2) throw new Error('The cluster has no masters.');
  const names = Array.from({ length: 50 }, (_, number) => `key-${number}`);
  await whileFrozen(frozen, async () => {
    const ask = () => Promise.all(names.map((name) => outcomeOf(client.get(name))));
    let outcomes = await ask();
    while (!outcomes.includes('refused')) outcomes = await ask();
    outcomes = await ask();
    expect(new Set(outcomes)).toContain('answered');
  });
  for (const name of names) await untilAnswered(() => client.get(name));
  await closeRedis(client);
  await cluster.drop();
});

/** A way to Redis whose connections can go silent; later ones work. */
async function silencingProxy(targetPort: number) {
  const sockets = new Set<Socket>();
  let speaking = new Set<Socket>();
  let connections = 0;
  const proxy = createServer((client) => {
    const target = dial(targetPort, '127.0.0.1');
    connections += 1;
    speaking.add(client);
    client.on('data', (data) => speaking.has(client) && target.write(data));
    target.on('data', (data) => speaking.has(client) && client.write(data));
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
  }).listen(await freePort(), '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address was given');
  return {
    port: address.port,
    connections: () => connections,
    silence: () => {
      speaking = new Set();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

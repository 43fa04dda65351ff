import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestRedisCluster,
  createTestRedisServer,
  eventually,
  freePort,
  type TestRedisServer,
} from '@vcds/test-kit';
import type { Cluster, Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { closeRedis, createLogger, createRedis, redisReady } from '../src/index.ts';

const lines: string[] = [];
const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
const registry = new Registry();
const open = (url: string, commandTimeoutMs = 500) =>
  createRedis({ url, name: 'test', logger, registry, commandTimeoutMs });
let server: TestRedisServer;
beforeAll(async () => {
  server = await createTestRedisServer();
});
afterAll(() => server.drop());

/** Stops the server's process while `during` runs: its connections stay open without replies. */
async function whileFrozen(redis: Redis, during: () => Promise<void>): Promise<void> {
  const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
  process.kill(pid, 'SIGSTOP');
  try {
    await during();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
const NOT_SENT = new Set(['CircuitOpenError', 'NotConnectedError']);
const outcomeOf = (reply: Promise<unknown>): Promise<string> =>
  reply.then(
    () => 'replied',
    ({ name, message }: Error) => (NOT_SENT.has(name) ? 'rejected' : message),
  );
const untilReplied = async (send: () => Promise<unknown>): Promise<void> => {
  await eventually(async () => (await outcomeOf(send())) === 'replied', { intervalMs: 5 });
};
const untilRejected = async (send: () => Promise<unknown>): Promise<void> => {
  await eventually(async () => (await outcomeOf(send())) === 'rejected', { intervalMs: 1 });
};
const metric = async (name: string): Promise<number | undefined> =>
  (await registry.getSingleMetric(name)?.get())?.values[0]?.value;

test('after three timeouts Redis gets no more commands until it responds', async () => {
  const client = open(server.url) as Redis;
  await redisReady(client);
  await whileFrozen(client, async () => {
    for (let i = 0; i < 3; i++) {
      expect(await outcomeOf(client.incr('counter'))).toBe('Command timed out');
    }
    await untilRejected(() => client.ping());
    const rejectedBefore = (await metric('vcds_redis_commands_rejected_total')) ?? 0;
    const outcomes = Array.from({ length: 500 }, () => outcomeOf(client.incr('counter')));
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['rejected']));
    expect(await metric('vcds_redis_circuits_open')).toBe(1);
    expect(await metric('vcds_redis_commands_rejected_total')).toBe(rejectedBefore + 500);
  });
  await untilReplied(() => client.ping());
  expect(Number(await client.get('counter'))).toBeLessThanOrEqual(3);
  expect(await metric('vcds_redis_circuits_open')).toBe(0);
  const warnings = lines.filter((line) => line.includes('redis does not respond'));
  expect(warnings).toHaveLength(1);
  await closeRedis(client);
});

test('a caller that retries rejected commands at once does not prevent the recovery', async () => {
  const client = open(server.url) as Redis;
  await redisReady(client);
  await whileFrozen(client, () => untilRejected(() => client.ping()));
  let outcome = await outcomeOf(client.ping());
  while (outcome !== 'replied') outcome = await outcomeOf(client.ping());
  await closeRedis(client);
});

test('commands are also rejected while the client reconnects', async () => {
  const client = open(server.url) as Redis;
  await redisReady(client);
  lines.length = 0;
  await whileFrozen(client, async () => {
    await untilRejected(() => client.ping());
    await eventually(() => client.status !== 'ready', { intervalMs: 5 });
    const outcomes = Array.from({ length: 20 }, () => outcomeOf(client.ping()));
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['rejected']));
    expect(lines.join('')).not.toContain('redis responds again');
  });
  await untilReplied(() => client.ping());
  await closeRedis(client);
});

test('error replies do not open the circuit', async () => {
  const client = open(server.url) as Redis;
  await redisReady(client);
  await client.set('text', 'no number');
  for (let i = 0; i < 10; i++) {
    expect(await outcomeOf(client.incr('text'))).toContain('not an integer');
  }
  expect(await client.ping()).toBe('PONG');
  await closeRedis(client);
});

test('a half-open connection is replaced', async () => {
  const proxy = await silencingProxy(Number(new URL(server.url).port));
  const url = new URL(server.url);
  url.port = String(proxy.port);
  const client = open(url.href) as Redis;
  await redisReady(client);
  proxy.silence();
  await untilRejected(() => client.ping());
  await untilReplied(() => client.ping());
  expect(proxy.connections()).toBeGreaterThan(1);
  await closeRedis(client);
  await proxy.close();
});

test('in a cluster, only the commands of the unresponsive node are rejected', async () => {
  // The timeout prevents a failover of the frozen node during the test.
  const cluster = await createTestRedisCluster({ nodeTimeoutMs: 60_000 });
  const client = open(cluster.url, 300) as Cluster;
  await redisReady(client);
  const masters = client.nodes('master');
  const [frozen] = masters;
  if (frozen === undefined || masters.length < 2) throw new Error('The cluster has no masters.');
  const names = Array.from({ length: 50 }, (_, number) => `key-${number}`);
  await whileFrozen(frozen, async () => {
    const read = () => Promise.all(names.map((name) => outcomeOf(client.get(name))));
    let outcomes = await read();
    while (!outcomes.includes('rejected')) outcomes = await read();
    outcomes = await read();
    expect(new Set(outcomes)).toContain('replied');
  });
  for (const name of names) await untilReplied(() => client.get(name));
  await closeRedis(client);
  await cluster.drop();
});

test('in a cluster, no command of a lost node is sent again, and later ones are not sent', async () => {
  const cluster = await createTestRedisCluster({ replicas: 0, nodeTimeoutMs: 60_000 });
  const [blocked, client] = [open(cluster.url, 60_000), open(cluster.url, 60_000)];
  const nodes = cluster.nodes.map(({ url }) => open(url));
  await Promise.all([blocked, client, ...nodes].map((each) => redisReady(each)));
  const names = Array.from({ length: 50 }, (_, number) => `key-${number}`);
  const ended = new Set<string>();
  for (const name of names) void outcomeOf(blocked.brpop(name, 0)).then((how) => ended.add(how));
  await eventually(async () => {
    const info = await Promise.all(nodes.map((node) => node.info('clients')));
    expect(info.filter((text) => text.includes('blocked_clients:1'))).toHaveLength(3);
  });
  await cluster.nodes[0]?.kill();
  const lost = 'The connection to Redis was lost before the reply.';
  await eventually(() => expect([...ended]).toEqual([lost]));
  await eventually(async () => {
    const outcomes = await Promise.all(names.map((name) => outcomeOf(client.get(name))));
    expect(new Set(outcomes)).toEqual(new Set(['replied', 'rejected']));
  });
  for (const each of [blocked, client, ...nodes]) each.disconnect();
  await cluster.drop();
});

/** A TCP proxy to Redis that can stop forwarding on its open connections; later ones work. */
async function silencingProxy(targetPort: number) {
  const sockets = new Set<Socket>();
  let forwarding = new Set<Socket>();
  let connections = 0;
  const proxy = createServer((client) => {
    const target = dial(targetPort, '127.0.0.1');
    connections += 1;
    forwarding.add(client);
    client.on('data', (data) => forwarding.has(client) && target.write(data));
    target.on('data', (data) => forwarding.has(client) && client.write(data));
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
  }).listen(await freePort(), '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return {
    port: address.port,
    connections: () => connections,
    silence: () => {
      forwarding = new Set();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { createTestRedisCluster, createTestRedisServer, eventually } from '@vcds/test-kit';
import { Redis } from 'ioredis';
import { createMailQueue, MailQueueError, openMailQueue } from '../../src/mail/queue.ts';

const logger = createLogger({ service: 't', sink: { write: () => undefined } });
// Flushed every second, what was queued last before a crash might be lost.
const DURABLE = { durable: true, configuration: ['appendfsync always'] };
const server = await createTestRedisServer(DURABLE);
const redis = new Redis(server.url);
redis.on('error', () => undefined);
const jobs = openMailQueue(redis);
afterEach(() => redis.flushall());
afterAll(async () => {
  redis.disconnect();
  await server.drop();
});
const waiting = async () => (await jobs.getWaiting()).map(({ id }) => id);

describe('the mail queue', () => {
  test('has a registration once, however often it is asked for, and only its id', async () => {
    const queue = createMailQueue({ url: server.url, logger });
    const id = randomUUID();
    await Promise.all(Array.from({ length: 50 }, () => queue.enqueue(id)));
    expect(await waiting()).toEqual([id]);
    const job = await jobs.getJob(id);
    expect(job?.data).toEqual({ registrationId: id });
    expect(job?.opts).toMatchObject({ attempts: 8 });
    await queue.close();
  });

  test('takes nothing that is no id', async () => {
    const queue = createMailQueue({ url: server.url, logger });
    for (const text of ['', '123456', 'a:b', 'ada@mail.example', 'x'.repeat(65)]) {
      await expect(queue.enqueue(text)).rejects.toBeInstanceOf(TypeError);
    }
    expect(await waiting()).toEqual([]);
    await queue.close();
  });

  test('waits for a Redis that was away when it opened', async () => {
    const id = randomUUID();
    await server.kill();
    const queue = createMailQueue({ url: server.url, logger, enqueueMsMax: 50_000 });
    const queued = queue.enqueue(id);
    await server.restart();
    await queued;
    expect(await waiting()).toEqual([id]);
    await queue.close();
  });

  test('says so when the queue did not take it in time, and when it is closed', async () => {
    const url = 'redis://127.0.0.1:1';
    const queue = createMailQueue({ url, logger, enqueueMsMax: 300 });
    await expect(queue.enqueue(randomUUID())).rejects.toBeInstanceOf(MailQueueError);
    await queue.close();
    const closing = createMailQueue({ url, logger });
    const outcome = expect(closing.enqueue(randomUUID())).rejects.toBeInstanceOf(MailQueueError);
    await closing.close();
    await outcome;
  });

  test('keeps all of itself in one slot of a cluster', async () => {
    const cluster = await createTestRedisCluster({ replicas: 0 });
    const queue = createMailQueue({ url: cluster.url, logger });
    // A cluster is ready before the connections to all of its nodes are.
    await eventually(async () => {
      await queue.enqueue(randomUUID());
      return true;
    });
    await Promise.all(Array.from({ length: 20 }, () => queue.enqueue(randomUUID())));
    const clients = cluster.nodes.map(({ url }) => new Redis(url));
    const keys = await Promise.all(clients.map((client) => client.keys('*')));
    expect(keys.filter((found) => found.length > 0)).toHaveLength(1);
    for (const client of clients) client.disconnect();
    await queue.close();
    await cluster.drop();
  });
});

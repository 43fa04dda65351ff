// Tests docs/spec/operations.md 16.1.
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { redisReady } from '@vcds/service-kit';
import { createTestRedisServer, eventually, type TestRedisServer, testClock } from '@vcds/test-kit';
import type { MailConsumer } from '../../src/mail/worker.ts';
import { type ConsumerKit, openConsumerKit } from './consumer-kit.ts';
import { openDeafProxy } from './deaf-proxy.ts';
import { leaveRegistration } from './pending-mail.ts';

/** The minute of twelve canaries takes less than two seconds at this interval. */
const CANARY_EVERY_MS = 150;
const MINUTE_MS = 12 * CANARY_EVERY_MS;

let server: TestRedisServer;
let kit: ConsumerKit;
beforeEach(async () => {
  server = await createTestRedisServer();
  kit = await openConsumerKit(server.url);
});
afterEach(async () => {
  await kit.close();
  await server.drop();
});
const holds = (assertion: Promise<void>): Promise<boolean> =>
  assertion.then(
    () => true,
    () => false,
  );
const isAlive = (consumer: MailConsumer) => holds(consumer.assertConsuming());

describe('liveness', () => {
  test('fails for a worker that silently stopped consuming', async () => {
    const proxy = await openDeafProxy(server.url);
    const consumer = kit.start(undefined, { url: proxy.url, canaryEveryMs: CANARY_EVERY_MS });
    const mail = await leaveRegistration(kit.redis);
    await kit.queue.enqueue(mail.registrationId);
    await eventually(async () => (await kit.files()).length === 1);
    await delay(MINUTE_MS * 2);
    expect(await isAlive(consumer)).toBe(true);
    proxy.deafen();
    await eventually(async () => !(await isAlive(consumer)));
    await expect(consumer.assertConsuming()).rejects.toThrow(
      /^The mail queue was not consumed for \d+ s\.$/,
    );
    expect(await kit.registry.metrics()).toMatch(/vcds_mail_canaries_unanswered (1[2-9]|[2-9]\d)/);
    await server.kill();
    proxy.close();
    // One that is closed before it has noticed waits for Redis as long as it may.
    await eventually(async () => !(await holds(consumer.assertConnected())));
  });

  test('passes for several idle workers that share the queue, each taking its turn', async () => {
    const consumers = [1, 2, 3].map(() => kit.start(undefined, { canaryEveryMs: CANARY_EVERY_MS }));
    const endMs = performance.now() + MINUTE_MS * 3;
    while (performance.now() < endMs) {
      expect(await Promise.all(consumers.map(isAlive))).toEqual([true, true, true]);
      await delay(50);
    }
    const jobs = Object.values(await kit.jobs.getJobCounts());
    expect(jobs.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(consumers.length);
  });

  test('a Redis that rejects writes costs one line of each kind in ten seconds', async () => {
    const lines = () => kit.log().trim().split('\n').filter(Boolean);
    const subjects = () => lines().map((line) => JSON.parse(line).msg as string);
    const rejections = async () =>
      Number(/errorstat_OOM:count=(\d+)/.exec(await kit.redis.info('errorstats'))?.[1]);
    await kit.redis.config('SET', 'maxmemory', '1');
    kit.start(undefined, { canaryEveryMs: 20, clock: testClock() });
    await eventually(() => subjects().includes('mail queue error'));
    await eventually(async () => (await rejections()) >= 50);
    expect(subjects()).toContain('failed to queue a canary job');
    expect(subjects().toSorted()).toEqual([...new Set(subjects())].sort());
  });

  test('passes while Redis is away: a restart would not help', async () => {
    const consumer = kit.start(undefined, { canaryEveryMs: CANARY_EVERY_MS });
    await delay(MINUTE_MS);
    await server.kill();
    await delay(MINUTE_MS * 2);
    expect(await isAlive(consumer)).toBe(true);
    await expect(consumer.assertConnected()).rejects.toThrow('unavailable');
    await server.restart();
    await redisReady(kit.redis);
    const { registrationId } = await leaveRegistration(kit.redis);
    await kit.queue.enqueue(registrationId);
    await eventually(async () => (await kit.files()).length === 1);
    expect(await isAlive(consumer)).toBe(true);
    await consumer.assertConnected();
  });
});

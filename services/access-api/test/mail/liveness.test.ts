import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { redisReady } from '@vcds/service-kit';
import { createTestRedisServer, type TestRedisServer } from '@vcds/test-kit';
import type { MailConsumer } from '../../src/mail/mail-consumer.ts';
import { type ConsumerKit, openConsumerKit } from './consumer-kit.ts';
import { openDeafProxy } from './deaf-proxy.ts';
import { leaveRegistration } from './pending-mail.ts';

/** A minute of silence, at 5 s a canary, is less than two seconds at this. */
const canaryEveryMs = 150;
const MINUTE_MS = 12 * canaryEveryMs;

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
    const consumer = kit.start(undefined, { url: proxy.url, canaryEveryMs });
    const mail = await leaveRegistration(kit.redis);
    await kit.queue.enqueue(mail.registrationId);
    while ((await kit.files()).length < 1) await delay(20);
    await delay(MINUTE_MS * 2);
    expect(await isAlive(consumer)).toBe(true);
    proxy.deafen();
    while (await isAlive(consumer)) await delay(20);
    await expect(consumer.assertConsuming()).rejects.toThrow(
      /^The mail queue was not consumed for \d+ s\.$/,
    );
    expect(await kit.registry.metrics()).toMatch(/mail_canaries_unanswered (1[2-9]|[2-9]\d)/);
    await server.kill();
    proxy.close();
    // One that is closed before it has noticed waits for Redis as long as it may.
    while (await holds(consumer.assertConnected())) await delay(20);
  }, 60_000);

  test('passes for several idle workers that share the queue, each taking its turn', async () => {
    const consumers = [1, 2, 3].map(() => kit.start(undefined, { canaryEveryMs }));
    const endMs = performance.now() + MINUTE_MS * 3;
    while (performance.now() < endMs) {
      expect(await Promise.all(consumers.map(isAlive))).toEqual([true, true, true]);
      await delay(50);
    }
    const canaries = (await kit.redis.keys('{mail}:mail:canary-*')).length;
    expect(canaries).toBeLessThanOrEqual(2 * consumers.length);
  }, 60_000);

  test('passes while Redis is away: a restart would not help', async () => {
    const consumer = kit.start(undefined, { canaryEveryMs });
    await delay(MINUTE_MS);
    await server.kill();
    await delay(MINUTE_MS * 2);
    expect(await isAlive(consumer)).toBe(true);
    await expect(consumer.assertConnected()).rejects.toThrow('not there');
    await server.restart();
    await redisReady(kit.redis);
    const { registrationId } = await leaveRegistration(kit.redis);
    await kit.queue.enqueue(registrationId);
    while ((await kit.files()).length < 1) await delay(20);
    expect(await isAlive(consumer)).toBe(true);
    await consumer.assertConnected();
  }, 60_000);
});

import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { digestOf, generateApiKey, KEY_CHANGES_STREAM, type KeyDigest } from '@vcds/credentials';
import { createLogger, createRedis, type RedisClient, redisReady } from '@vcds/service-kit';
import { createTestRedisServer, eventually, type TestRedisServer, testClock } from '@vcds/test-kit';
import {
  consumeKeyChanges,
  type KeyChangesConsumer,
} from '../../src/authenticate/key-changes-consumer.ts';

const logger = createLogger({ service: 't', level: 'silent' });
const clock = testClock();
/** Longer than any test: only the connection and the injected clock end a read. */
const COMMAND_MS_MAX = 30_000;
let server: TestRedisServer;
let writer: RedisClient;
let consumer: KeyChangesConsumer;
let received: KeyDigest[];
let gaps: number;

beforeEach(async () => {
  server = await createTestRedisServer();
  const commandTimeoutMs = COMMAND_MS_MAX;
  writer = createRedis({ url: server.url, name: 'writer', logger, commandTimeoutMs });
  await redisReady(writer);
  received = [];
  gaps = 0;
});
afterEach(async () => {
  await consumer.close();
  writer.disconnect();
  await server.drop();
});

function follow(): void {
  const options = { url: server.url, name: 'consumer', logger, commandTimeoutMs: COMMAND_MS_MAX };
  consumer = consumeKeyChanges({
    redis: createRedis(options),
    clock,
    logger,
    onChange: (digest) => void received.push(digest),
    onGap: () => {
      gaps += 1;
    },
  });
}

async function until(isSo: () => boolean): Promise<void> {
  await eventually(isSo, { intervalMs: 5 });
}

async function change(): Promise<KeyDigest> {
  const digest = digestOf(generateApiKey());
  await writer.xadd(KEY_CHANGES_STREAM, '*', 'digest', digest);
  return digest;
}

describe('the consumer of key changes', () => {
  test('receives every change in order from its start on', async () => {
    await change();
    follow();
    await until(() => consumer.isLive());
    const expected: KeyDigest[] = [];
    for (let i = 0; i < 50; i++) expected.push(await change());
    await until(() => received.length === 50);
    expect(received).toEqual(expected);
  });

  test('is live on a stream that does not exist yet, and receives its first entry', async () => {
    follow();
    await until(() => consumer.isLive());
    const digest = await change();
    await until(() => received.length > 0);
    expect(received).toEqual([digest]);
  });

  test('skips invalid entries', async () => {
    follow();
    await until(() => consumer.isLive());
    await writer.xadd(KEY_CHANGES_STREAM, '*', 'other', 'x');
    await writer.xadd(KEY_CHANGES_STREAM, '*', 'digest', 'not-a-digest');
    const digest = await change();
    await until(() => received.length > 0);
    expect(received).toEqual([digest]);
  });

  test('is live only if XREAD returned within the last two seconds', async () => {
    follow();
    expect(consumer.isLive()).toBe(false);
    await until(() => consumer.isLive());
    clock.advance(2_000);
    expect(consumer.isLive()).toBe(true);
    clock.advance(1);
    expect(consumer.isLive()).toBe(false);
    const before = gaps;
    await until(() => consumer.isLive());
    expect(gaps).toBeGreaterThan(before);
  });

  test('is not live while Redis is down, reports a gap, and continues after the restart', async () => {
    follow();
    await until(() => consumer.isLive());
    const before = gaps;
    const closed = once(writer, 'close');
    await server.kill();
    await closed;
    await until(() => !consumer.isLive());
    expect(gaps).toBeGreaterThan(before);
    await server.restart();
    await redisReady(writer);
    await until(() => consumer.isLive());
    const digest = await change();
    await until(() => received.includes(digest));
  });
});

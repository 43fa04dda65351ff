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
/** No answer is late here: what is lost is the connection, and what is silent the clock's word. */
const COMMAND_MS_MAX = 30_000;
let server: TestRedisServer;
let writer: RedisClient;
let tail: KeyChangesConsumer;
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
  await tail.close();
  writer.disconnect();
  await server.drop();
});

function follow(): void {
  const options = { url: server.url, name: 'tail', logger, commandTimeoutMs: COMMAND_MS_MAX };
  tail = consumeKeyChanges({
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

describe('the tail of key changes', () => {
  test('hears every change in order, from when it began', async () => {
    await change();
    follow();
    await until(() => tail.isLive());
    const expected: KeyDigest[] = [];
    for (let i = 0; i < 50; i++) expected.push(await change());
    await until(() => received.length === 50);
    expect(received).toEqual(expected);
  });

  test('is live on a stream that does not exist yet, and hears its first entry', async () => {
    follow();
    await until(() => tail.isLive());
    const digest = await change();
    await until(() => received.length > 0);
    expect(received).toEqual([digest]);
  });

  test('passes over entries it does not understand', async () => {
    follow();
    await until(() => tail.isLive());
    await writer.xadd(KEY_CHANGES_STREAM, '*', 'other', 'x');
    await writer.xadd(KEY_CHANGES_STREAM, '*', 'digest', 'not-a-digest');
    const digest = await change();
    await until(() => received.length > 0);
    expect(received).toEqual([digest]);
  });

  test('is not live before it was received, nor once silent for more than two seconds', async () => {
    follow();
    expect(tail.isLive()).toBe(false);
    await until(() => tail.isLive());
    clock.advance(2_000);
    expect(tail.isLive()).toBe(true);
    clock.advance(1);
    expect(tail.isLive()).toBe(false);
    const before = gaps;
    await until(() => tail.isLive());
    expect(gaps).toBeGreaterThan(before);
  });

  test('a lost Redis ends the life at once and is a gap; back, it is received again', async () => {
    follow();
    await until(() => tail.isLive());
    const before = gaps;
    const closed = once(writer, 'close');
    await server.kill();
    await closed;
    await until(() => !tail.isLive());
    expect(gaps).toBeGreaterThan(before);
    await server.restart();
    await redisReady(writer);
    await until(() => tail.isLive());
    const digest = await change();
    await until(() => received.includes(digest));
  });
});

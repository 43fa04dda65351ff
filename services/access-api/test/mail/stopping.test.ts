import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { createTestRedisServer, type TestRedisServer } from '@vcds/test-kit';
import { Redis } from 'ioredis';
import request from 'supertest';
import { readAccessConfig, startAccessApi } from '../../src/index.ts';
import { type Access, openAccess } from '../access.ts';

const SECRET = 'a-service-secret-of-enough-characters';
let access: Access;
/** Where the queue is, and nothing else. */
let server: TestRedisServer;
let queue: Redis;

beforeEach(async () => {
  [access, server] = await Promise.all([openAccess(), createTestRedisServer()]);
  queue = new Redis(server.url);
});
afterEach(async () => {
  queue.disconnect();
  await Promise.all([access.close(), server.drop()]);
});

describe('access-api that is stopped while its queue hangs', () => {
  test('has the message of every registration it answered in the queue before it ends', async () => {
    const { ids, stop } = await registerWhileQueueHangs(3);
    const stopped = stop();
    await untilSomethingWaits();
    await queue.client('UNPAUSE');
    await stopped;
    expect((await queue.lrange('{mail}:mail:wait', 0, -1)).sort()).toEqual(ids.sort());
  });

  test('waits five seconds for a queue that does not answer, and ends without it', async () => {
    const { stop } = await registerWhileQueueHangs(1);
    const startedMs = performance.now();
    await stop();
    expect(performance.now() - startedMs).toBeGreaterThan(4_990);
    // It takes no writes to this moment, but tells what it has.
    expect(await queue.exists('{mail}:mail:wait')).toBe(0);
  });
});

/** Registrations answered while the queue takes no writes, and the service to be stopped. */
async function registerWhileQueueHangs(count: number) {
  const config = readAccessConfig({
    DATABASE_URL: access.databaseUrl,
    REDIS_URL: access.redisUrl,
    QUEUE_REDIS_URL: server.url,
    SERVICE_TOKEN_SECRET: SECRET,
    CODE_SECRET: SECRET,
    MX_CHECK: 'off',
    ACCESS_API_PORT: '0',
    DRAIN_MS: '0',
    ACCESS_API_INTERNAL_PORT: '0',
  });
  const logger = createLogger({ service: 'test', level: 'silent' });
  const { ports, stop } = await startAccessApi(config, { logger });
  await queue.client('PAUSE', 600_000, 'WRITE');
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { status, body } = await request(`http://127.0.0.1:${ports.public}`)
      .post('/api/v1/auth/register')
      .send({ email: `person${n}@example.com` });
    expect(status).toBe(202);
    ids.push(body.request_id);
  }
  return { ids, stop };
}

/** Resolves once something waits for the queue to take writes again. */
async function untilSomethingWaits(): Promise<void> {
  while (!/blocked_clients:[1-9]/.test(await queue.info('clients'))) await delay(10);
}

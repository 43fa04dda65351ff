// Tests docs/spec/registration.md 3.2.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@vcds/service-kit';
import { createTestRedisServer, eventually, type TestRedisServer } from '@vcds/test-kit';
import { Redis } from 'ioredis';
import request from 'supertest';
import { openMailQueue } from '../../src/mail/queue.ts';
import { createUnsentMails } from '../../src/registration/mail-source.ts';
import { type Access, openAccess, startOn } from '../access.ts';

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
  await access.close();
  await server.drop();
});

const waiting = async () => (await openMailQueue(queue).getWaiting()).map(({ id }) => id);

describe('access-api that is stopped', () => {
  test('has the message of every registration it answered in the queue before it ends', async () => {
    const { ids, stop } = await registerWithService(3);
    await stop();
    expect((await waiting()).sort()).toEqual(ids.sort());
  });

  test('ends without a queue that does not answer, and leaves the message listed as unsent', async () => {
    await queue.client('PAUSE', 600_000, 'WRITE');
    const { ids, stop } = await registerWithService(1);
    await stop();
    await queue.client('UNPAUSE');
    expect(await waiting()).toEqual([]);
    expect(await unsent()).toEqual(ids);
  });
});

/** The registrations that a worker finds, once they are due. */
function unsent(): Promise<string[]> {
  const later = { ...systemClock, wallMs: () => systemClock.wallMs() + 60_000 };
  return createUnsentMails(access.redis, later).due();
}

/** Registrations that were just answered, and the service to be stopped. */
async function registerWithService(count: number) {
  const { ports, stop } = await startOn(access, { QUEUE_REDIS_URL: server.url });
  const url = `http://127.0.0.1:${ports.internal}`;
  await eventually(async () => (await fetch(`${url}/ready`)).ok);
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

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ApiError, systemClock } from '@vcds/service-kit';
import { createTestRedisServer, eventually } from '@vcds/test-kit';
import type { EmailAddress } from '../../src/registration/email-address.ts';
import { parseLink } from '../../src/registration/link.ts';
import {
  createMailSource,
  createUnsentMails,
  type UnsentMails,
} from '../../src/registration/mail-source.ts';
import { type RegistrationId, registrationKey } from '../../src/registration/redis-keys.ts';
import {
  createRegistrationStore,
  type RegistrationStore,
} from '../../src/registration/registration-store.ts';
import { type ConsumerKit, openConsumerKit } from './consumer-kit.ts';
import { secrets } from './pending-mail.ts';
import { reject, startSendgridServer } from './sendgrid-server.ts';

/** Registrations opened this long ago are due, and their codes still work. */
const AGO_MS = 60_000;
const OFTEN = { requeueEveryMs: 50 };

const server = await createTestRedisServer();
let kit: ConsumerKit;
let store: RegistrationStore;
let unsent: UnsentMails;
afterAll(() => server.drop());
beforeEach(async () => {
  kit = await openConsumerKit(server.url);
  await kit.redis.flushall();
  const clock = { ...systemClock, wallMs: () => systemClock.wallMs() - AGO_MS };
  const accessPublicUrl = 'http://127.0.0.1:8081';
  store = createRegistrationStore({ redis: kit.redis, secrets, clock, accessPublicUrl });
  unsent = createUnsentMails(kit.redis, systemClock);
});
afterEach(() => kit.close());

const newAddress = () => `${randomUUID()}@mail.example` as EmailAddress;
const open = async (): Promise<RegistrationId> => {
  const opened = await store.open(newAddress());
  if (!('id' in opened)) throw new Error('The registration was not opened.');
  return opened.id;
};
const requeued = async () =>
  Number(/vcds_mail_requeued_total (\d+)/.exec(await kit.registry.metrics())?.[1]);
const nothingDue = () => eventually(async () => expect(await unsent.due()).toEqual([]));
const messagesSent = (count: number) =>
  eventually(async () => expect(await kit.files()).toHaveLength(count));

describe('a registration whose message was never queued', () => {
  test('is found by the workers and its message sent once', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, open));
    expect((await unsent.due()).sort()).toEqual([...ids].sort());
    for (let worker = 0; worker < 3; worker++) kit.start(undefined, OFTEN);
    await messagesSent(ids.length);
    await nothingDue();
    const recipients = (await kit.files()).map(({ to }) => to);
    expect(recipients).toHaveLength(ids.length);
    expect(new Set(recipients).size).toBe(ids.length);
    expect(await kit.redis.keys('*:unsent')).toEqual([]);
  });

  test('is queued again when the queue has lost it, and not while the queue has it', async () => {
    const rejecting = await startSendgridServer();
    rejecting.answer = reject(503, { 'Retry-After': '300' });
    const id = await open();
    kit.start(kit.sendgrid(rejecting.url), OFTEN);
    await eventually(async () => expect(await kit.jobs.getJobState(id)).toBe('delayed'));
    expect(await requeued()).toBe(1);
    await unsent.postpone(id, -1);
    await nothingDue();
    expect([await requeued(), rejecting.requests.length]).toEqual([1, 1]);
    await kit.jobs.remove(id);
    await unsent.postpone(id, -1);
    await eventually(() => rejecting.requests.length === 2);
    expect(await requeued()).toBe(2);
    await rejecting.close();
  });

  test('is no longer listed after it has expired, and its encrypted message is removed', async () => {
    const id = await open();
    await kit.redis.hset(registrationKey(id), 'expiresAt', systemClock.wallMs() - 1);
    expect(await unsent.due()).toEqual([]);
    expect(await kit.redis.keys('*:unsent')).toEqual([]);
    expect(await kit.redis.hexists(registrationKey(id), 'mail')).toBe(0);
  });
});

describe('while Redis is full', () => {
  const setMemory = (bytes: number) => kit.redis.config('SET', 'maxmemory', bytes);

  test('a link cannot be used, which is an outage and no fault of ours', async () => {
    const id = await open();
    const mail = await createMailSource(kit.redis, secrets).load(id);
    const link = parseLink(new URL(mail?.linkUrl ?? '').pathname.split('/').at(-1) ?? '');
    if (link === undefined) throw new Error('The message has no link.');
    await setMemory(1);
    try {
      const error = await store.useLink(link).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 'unavailable' });
    } finally {
      await setMemory(0);
    }
    expect(await store.useLink(link)).toBe(true);
  });
});

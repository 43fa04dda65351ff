// Tests docs/spec/registration.md 3.2.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ApiError, systemClock } from '@vcds/service-kit';
import { createTestRedisServer, eventually } from '@vcds/test-kit';
import type { EmailAddress } from '../../src/registration/email-address.ts';
import { parseLink } from '../../src/registration/link.ts';
import { createMailSource, createUnsentMails } from '../../src/registration/mail-source.ts';
import { type RegistrationId, registrationKey } from '../../src/registration/redis-keys.ts';
import { createRegistrationStore } from '../../src/registration/registration-store.ts';
import { redisContents } from '../redis-contents.ts';
import { type ConsumerKit, codeIn, openConsumerKit } from './consumer-kit.ts';
import { leaveRegistration, secrets } from './pending-mail.ts';
import { accept, reject, startSendgridServer } from './sendgrid-server.ts';

const server = await createTestRedisServer();
const sendgrid = await startSendgridServer();
let kit: ConsumerKit;
afterAll(async () => {
  await sendgrid.close();
  await server.drop();
});
beforeEach(async () => {
  kit = await openConsumerKit(server.url);
  await kit.redis.flushall();
  sendgrid.requests.length = 0;
  sendgrid.answer = accept;
});
afterEach(() => kit.close());

const state = (id: string) => kit.jobs.getJobState(id);
const until = (id: string, wanted: string) =>
  eventually(async () => expect(await state(id)).toBe(wanted));
const sentTo = (to: string) =>
  sendgrid.requests.filter(({ body }) => body.personalizations[0]?.to[0]?.email === to);

/** The worker counts and logs a job after the queue has its state. */
const counted = (line: string) =>
  eventually(async () => expect(await kit.registry.metrics()).toContain(line));

describe('the mail consumer', () => {
  test('sends each message once, marks it sent, and counts it in its metrics', async () => {
    const mails = await Promise.all(Array.from({ length: 40 }, () => leaveRegistration(kit.redis)));
    kit.start();
    await Promise.all(mails.map(({ registrationId }) => kit.queue.enqueue(registrationId)));
    for (const { registrationId } of mails) await until(registrationId, 'completed');
    // Queued again, also after the queue has removed the job, nothing more is sent.
    await Promise.all(mails.map(({ registrationId }) => kit.queue.enqueue(registrationId)));
    const removed = mails[0]?.registrationId ?? '';
    await kit.jobs.remove(removed);
    await kit.queue.enqueue(removed);
    await until(removed, 'completed');
    const files = await kit.files();
    const codes = (list: readonly (readonly [string, string])[]) => [...list].sort();
    expect(codes(files.map((file) => [file.to, codeIn(file)]))).toEqual(
      codes(mails.map(({ to, code }) => [to, code])),
    );
    await counted('vcds_mail_jobs_total{result="sent"} 40');
    // An increase to a first value would be none: the alert would miss the first failure.
    await counted('vcds_mail_jobs_total{result="failed"} 0');
    await counted('vcds_mail_delay_seconds_count 40');
    await counted('vcds_mail_send_duration_seconds_count{transport="file",outcome="sent"}');
    await counted('vcds_mail_queue_jobs{state="completed"} 40');
  });

  test('sends nothing for what is expired, used or unknown', async () => {
    const expired = await leaveRegistration(kit.redis, { lifeMs: 1 });
    kit.start();
    for (const id of [expired.registrationId, randomUUID()]) {
      await kit.queue.enqueue(id);
      await until(id, 'completed');
    }
    expect(await kit.files()).toEqual([]);
    await counted('vcds_mail_jobs_total{result="gone"} 2');
  });

  test('tries again after 429 and 5xx, with the same code', async () => {
    sendgrid.answer = (response, count) =>
      (count === 1 ? reject(429, { 'Retry-After': '1' }) : count === 2 ? reject(503) : accept)(
        response,
        count,
      );
    const mail = await leaveRegistration(kit.redis);
    kit.start(kit.sendgrid(sendgrid.url));
    await kit.queue.enqueue(mail.registrationId);
    await until(mail.registrationId, 'completed');
    const requests = sentTo(mail.to);
    expect(requests).toHaveLength(3);
    for (const { body } of requests) expect(body.content[0]?.value).toContain(mail.code);
    await counted('vcds_mail_jobs_total{result="retried"} 2');
  });

  test('does not retry a final error', async () => {
    sendgrid.answer = reject(400);
    const mail = await leaveRegistration(kit.redis);
    kit.start(kit.sendgrid(sendgrid.url));
    await kit.queue.enqueue(mail.registrationId);
    await until(mail.registrationId, 'failed');
    expect(sentTo(mail.to)).toHaveLength(1);
    await counted('vcds_mail_jobs_total{result="failed"} 1');
    await eventually(() => kit.log().includes('SendGrid responded with 400.'));
  });

  test('does not try again past the life of the code', async () => {
    sendgrid.answer = reject(503, { 'Retry-After': '120' });
    const mail = await leaveRegistration(kit.redis, { lifeMs: 60_000 });
    kit.start(kit.sendgrid(sendgrid.url));
    await kit.queue.enqueue(mail.registrationId);
    await until(mail.registrationId, 'failed');
    expect(sentTo(mail.to)).toHaveLength(1);
  });

  test('finishes what it is sending before it closes', async () => {
    let answer = (): void => undefined;
    sendgrid.answer = (response, count) => {
      answer = () => accept(response, count);
    };
    const mail = await leaveRegistration(kit.redis);
    const consumer = kit.start(kit.sendgrid(sendgrid.url));
    await kit.queue.enqueue(mail.registrationId);
    await eventually(() => sendgrid.requests.length > 0);
    let isClosed = false;
    const closed = consumer.close().then(() => {
      isClosed = true;
    });
    await kit.redis.ping();
    expect(isClosed).toBe(false);
    answer();
    await closed;
    expect(await state(mail.registrationId)).toBe('completed');
  });

  test('leaves neither address, code nor link in queue or log, whatever happens', async () => {
    const mails = await Promise.all(Array.from({ length: 6 }, () => leaveRegistration(kit.redis)));
    sendgrid.answer = (response, count) =>
      [accept, reject(400), reject(503), () => void response.destroy()][count % 4]?.(
        response,
        count,
      );
    kit.start(kit.sendgrid(sendgrid.url));
    await Promise.all(mails.map(({ registrationId }) => kit.queue.enqueue(registrationId)));
    await eventually(async () => {
      const { waiting, active } = await kit.jobs.getJobCounts();
      return waiting === 0 && active === 0;
    });
    const everything = `${JSON.stringify(await redisContents(kit.redis))}${kit.log()}`;
    for (const { to, code, linkUrl, registrationId } of mails) {
      expect(everything).toContain(registrationId);
      for (const secret of [to, linkUrl]) expect(everything).not.toContain(secret);
      expect(everything).not.toMatch(new RegExp(`(?<![0-9])${code}(?![0-9])`));
    }
    expect(everything).not.toContain('are bad');
  });
});

/** Registrations opened this long ago are due, and their codes still work. */
const AGO_MS = 60_000;
const OFTEN = { requeueEveryMs: 50 };
const unsent = () => createUnsentMails(kit.redis, systemClock);
const store = () => {
  const clock = { ...systemClock, wallMs: () => systemClock.wallMs() - AGO_MS };
  const accessPublicUrl = 'http://127.0.0.1:8081';
  return createRegistrationStore({ redis: kit.redis, secrets, clock, accessPublicUrl });
};
const open = async (): Promise<RegistrationId> => {
  const opened = await store().open(`${randomUUID()}@mail.example` as EmailAddress);
  if (!('id' in opened)) throw new Error('The registration was not opened.');
  return opened.id;
};
const requeued = async () =>
  Number(/vcds_mail_requeued_total (\d+)/.exec(await kit.registry.metrics())?.[1]);
const nothingDue = () => eventually(async () => expect(await unsent().due()).toEqual([]));
const messagesSent = (count: number) =>
  eventually(async () => expect(await kit.files()).toHaveLength(count));

describe('a registration whose message was never queued', () => {
  test('is found by the workers and its message sent once', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, open));
    expect((await unsent().due()).sort()).toEqual([...ids].sort());
    for (let worker = 0; worker < 3; worker++) kit.start(undefined, OFTEN);
    await messagesSent(ids.length);
    await nothingDue();
    const recipients = (await kit.files()).map(({ to }) => to);
    expect(recipients).toHaveLength(ids.length);
    expect(new Set(recipients).size).toBe(ids.length);
    expect(await kit.redis.keys('*:unsent')).toEqual([]);
  });

  test('is queued again when the queue has lost it, and not while the queue has it', async () => {
    sendgrid.answer = reject(503, { 'Retry-After': '300' });
    const id = await open();
    kit.start(kit.sendgrid(sendgrid.url), OFTEN);
    await eventually(async () => expect(await kit.jobs.getJobState(id)).toBe('delayed'));
    expect(await requeued()).toBe(1);
    await unsent().postpone(id, -1);
    await nothingDue();
    expect([await requeued(), sendgrid.requests.length]).toEqual([1, 1]);
    await kit.jobs.remove(id);
    await unsent().postpone(id, -1);
    await eventually(() => sendgrid.requests.length === 2);
    expect(await requeued()).toBe(2);
  });

  test('is no longer listed after it has expired, and its encrypted message is removed', async () => {
    const id = await open();
    await kit.redis.hset(registrationKey(id), 'expiresAt', systemClock.wallMs() - 1);
    expect(await unsent().due()).toEqual([]);
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
      const error = await store()
        .useLink(link)
        .catch((error: unknown) => error);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 'unavailable' });
    } finally {
      await setMemory(0);
    }
    expect(await store().useLink(link)).toBe(true);
  });
});

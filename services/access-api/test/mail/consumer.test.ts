import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestRedisServer, eventually } from '@vcds/test-kit';
import { redisContents } from '../redis-contents.ts';
import { type ConsumerKit, codeIn, openConsumerKit } from './consumer-kit.ts';
import { leaveRegistration } from './pending-mail.ts';
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger, createRedis, redisReady, systemClock } from '@vcds/service-kit';
import { readMails, type WrittenMail } from '@vcds/test-kit';
import { Registry } from 'prom-client';
import { createFileTransport } from '../../src/mail/file-transport.ts';
import { createMailQueue, openMailQueue } from '../../src/mail/queue.ts';
import { createSendgridTransport } from '../../src/mail/sendgrid-transport.ts';
import type { MailTransport } from '../../src/mail/transport.ts';
import {
  type MailConsumer,
  type MailConsumerOptions,
  startMailConsumer,
} from '../../src/mail/worker.ts';
import { createMailSource, createUnsentMails } from '../../src/registration/mail-source.ts';
import { COMMAND_LIMIT } from '../access.ts';
import { secrets } from './pending-mail.ts';

export type ConsumerKit = Awaited<ReturnType<typeof openConsumerKit>>;

/** The environment of a consumer: a queue, the Redis of registrations, a folder, a log. */
export async function openConsumerKit(url: string) {
  const lines: string[] = [];
  const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
  const folder = await mkdtemp(join(tmpdir(), 'vcds-mail-'));
  const redis = createRedis({ url, name: 'test', logger, ...COMMAND_LIMIT });
  await redisReady(redis);
  const queue = createMailQueue({ url, logger });
  const registry = new Registry();
  const consumers: MailConsumer[] = [];
  const clock = systemClock;
  const toFiles = createFileTransport({ folder, clock, say: () => undefined });
  return {
    ...{ redis, queue, folder, registry },
    /** The same queue, to read its jobs. */
    jobs: openMailQueue(redis),
    log: () => lines.join(''),
    start: (transport: MailTransport = toFiles, options: Partial<MailConsumerOptions> = {}) => {
      const consumer = startMailConsumer({
        url,
        source: createMailSource(redis, secrets),
        unsent: createUnsentMails(redis, clock),
        transport,
        registry: consumers.length === 0 ? registry : new Registry(),
        logger,
        clock,
        ...options,
      });
      consumers.push(consumer);
      return consumer;
    },
    sendgrid: (baseUrl: string) =>
      createSendgridTransport({ apiKey: 'SG.test', from: 'a@data.example', baseUrl, clock }),
    /** The messages written so far. */
    files: () => readMails(folder),
    close: async () => {
      // As a service that stops.
      const closed = consumers.map((consumer) =>
        Promise.race([consumer.close(), delay(consumer.closeMsMax, undefined, { ref: false })]),
      );
      await Promise.all(closed);
      await queue.close();
      redis.disconnect();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The code in a message. */
export function codeIn({ text }: WrittenMail): string {
  return /^ {4}(\d{6})$/m.exec(text)?.[1] ?? '';
}

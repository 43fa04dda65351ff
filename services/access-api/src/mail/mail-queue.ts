import {
  closeRedis,
  createRedis,
  type Logger,
  type RedisClient,
  redisReady,
} from '@vcds/service-kit';
import { Queue } from 'bullmq';
import type { MailQueue } from '../registration/mail-source.ts';
import {
  type MailJob,
  type MailJobName,
  QUEUE_EVENTS_MAX,
  QUEUE_NAME,
  QUEUE_PREFIX,
  REGISTRATION_JOB,
} from './queue-layout.ts';

const ENQUEUE_MS_MAX = 2_000;
/** What BullMQ takes as a job's id: no colon, and no number, which it keeps for itself. */
const ID = /^(?=.*[A-Za-z_-])[0-9A-Za-z_-]{1,64}$/;

/** Asks for the mail of a registration to be sent. */
export interface ClosableMailQueue extends MailQueue {
  /**
   * Resolves once the queue has it; asked for twice, it is sent once. Waits up to 2 s for the
   * queue's Redis. What the queue does not take, the worker finds among the unsent.
   *
   * @throws MailQueueError when the queue did not take it.
   */
  enqueue(registrationId: string): Promise<void>;
  /** What still waits for Redis is given up. */
  close(): Promise<void>;
}

/** The queue did not take a mail; the cause says why. */
export class MailQueueError extends Error {
  override readonly name = 'MailQueueError';
}

export interface MailQueueOptions {
  /** `QUEUE_REDIS_URL`. */
  readonly url: string;
  readonly logger: Logger;
  /** Default 2,000. */
  readonly enqueueMsMax?: number;
}

export type MailBullQueue = Queue<MailJob, string, MailJobName>;

/** The queue as registrations see it. Connects at once, and again whenever Redis was away. */
export function createMailQueue(options: MailQueueOptions): ClosableMailQueue {
  const { url, logger, enqueueMsMax = ENQUEUE_MS_MAX } = options;
  const redis = createRedis({ url, name: 'mail-queue', logger });
  const queue = openMailQueue(redis);
  // All that wait for Redis wait together.
  let readiness: Promise<void> | undefined;
  const ready = (): Promise<void> => {
    readiness ??= redisReady(redis, enqueueMsMax).finally(() => {
      readiness = undefined;
    });
    return readiness;
  };
  return {
    enqueue: async (registrationId) => {
      if (!ID.test(registrationId)) throw new TypeError('This is no id of a registration.');
      try {
        await ready();
        await addRegistration(queue, registrationId);
      } catch (cause) {
        throw new MailQueueError('The mail was not queued.', { cause });
      }
    },
    close: async () => {
      await queue.close();
      await closeRedis(redis);
    },
  };
}

/** BullMQ's queue of mail on an open connection. */
export function openMailQueue(redis: RedisClient): MailBullQueue {
  const queue: MailBullQueue = new Queue(QUEUE_NAME, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
    streams: { events: { maxLen: QUEUE_EVENTS_MAX } },
  });
  // The client says it already.
  queue.on('error', () => undefined);
  return queue;
}

/** Puts the message of a registration into the queue; one that is there already stays as it is. */
export async function addRegistration(queue: MailBullQueue, registrationId: string): Promise<void> {
  const options = { ...REGISTRATION_JOB, jobId: registrationId };
  await queue.add('registration', { registrationId }, options);
}

import {
  closeRedis,
  createRedis,
  type Logger,
  type RedisClient,
  redisReady,
  traceOfJob,
} from '@vcds/service-kit';
import { type JobsOptions, Queue } from 'bullmq';
import { ATTEMPTS_MAX } from './retry-delay.ts';

const ENQUEUE_MS_MAX = 2_000;
/** BullMQ accepts these job ids: without a colon, and no number, which it generates itself. */
const ID = /^(?=.*[A-Za-z_-])[0-9A-Za-z_-]{1,64}$/;

/** Queues the messages of registrations, by id, without address and code. */
export type MailQueue = ReturnType<typeof createMailQueue>;

/** The queue did not accept a message; the cause has the reason. */
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

/** The queue for registrations. Connects immediately, and again after an outage of Redis. */
export function createMailQueue(options: MailQueueOptions) {
  const { url, logger, enqueueMsMax = ENQUEUE_MS_MAX } = options;
  const redis = createRedis({ url, name: 'mail-queue', logger });
  const queue = openMailQueue(redis);
  // All calls share one wait for Redis.
  let readiness: Promise<void> | undefined;
  const ready = (): Promise<void> => {
    readiness ??= redisReady(redis, enqueueMsMax).finally(() => {
      readiness = undefined;
    });
    return readiness;
  };
  return {
    /**
     * Resolves when the queue has the message; queued twice, it is sent once. Waits up to 2 s for the
     * queue's Redis. The worker queues unsent messages that are missing from the queue.
     *
     * @throws MailQueueError if the queue did not accept it.
     */
    enqueue: async (registrationId: string): Promise<void> => {
      if (!ID.test(registrationId)) throw new TypeError('Not the id of a registration.');
      try {
        await ready();
        await addRegistration(queue, registrationId);
      } catch (cause) {
        throw new MailQueueError('The message was not queued.', { cause });
      }
    },
    /** Rejects calls that still wait for Redis. */
    close: async (): Promise<void> => {
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
  // The Redis client already logs it.
  queue.on('error', () => undefined);
  return queue;
}

/** Queues the message of a registration; a job that exists stays unchanged. */
export async function addRegistration(queue: MailBullQueue, registrationId: string): Promise<void> {
  const options = { ...REGISTRATION_JOB, jobId: registrationId };
  await queue.add('registration', { registrationId, ...traceOfJob() }, options);
}

export const QUEUE_NAME = 'mail';
/** A hash tag: all keys of the queue are in one slot of a Redis Cluster. */
export const QUEUE_PREFIX = '{mail}';
/** Length of BullMQ's stream of events. */
export const QUEUE_EVENTS_MAX = 1_000;

/** The data of a job: never an address, a code or a link. */
export interface MailJob {
  readonly registrationId?: string;
  /** The span of the registration, if the process traces. */
  readonly traceparent?: string;
}

/** A `canary` only shows that the queue is consumed. */
export type MailJobName = 'registration' | 'canary';

/** The job id is the registration id, so that several requests create one job. */
export const REGISTRATION_JOB: JobsOptions = Object.freeze({
  attempts: ATTEMPTS_MAX,
  backoff: { type: 'within-code-life' },
  // Longer than the life of a code, so that a late second request finds the first.
  removeOnComplete: { age: 3_600, count: 10_000 },
  removeOnFail: { age: 86_400, count: 10_000 },
  stackTraceLimit: 0,
  keepLogs: 0,
});

export const CANARY_JOB: JobsOptions = Object.freeze({
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
  keepLogs: 0,
});

import { setTimeout as delay } from 'node:timers/promises';
import { closeRedis, createRedis, type Logger, redisReady } from '@vcds/service-kit';
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

const ENQUEUE_MS_MAX = 20_000;
const AGAIN_MS_FIRST = 50;
const AGAIN_MS_MAX = 1_000;
/** What BullMQ takes as a job's id: no colon, and no number, which it keeps for itself. */
const ID = /^(?=.*[A-Za-z_-])[0-9A-Za-z_-]{1,64}$/;

/** Asks for the mail of a registration to be sent. */
export interface ClosableMailQueue extends MailQueue {
  /**
   * Resolves once the queue has it; asked for twice, it is sent once. Tries again for up to 20 s
   * while the queue's Redis is away.
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
  /** Default 20,000. */
  readonly enqueueMsMax?: number;
}

/** The queue as registrations see it. Connects at once, and again whenever Redis was away. */
export function createMailQueue(options: MailQueueOptions): ClosableMailQueue {
  const { url, logger, enqueueMsMax = ENQUEUE_MS_MAX } = options;
  const redis = createRedis({ url, name: 'mail-queue', logger });
  const queue = new Queue<MailJob, string, MailJobName>(QUEUE_NAME, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
    streams: { events: { maxLen: QUEUE_EVENTS_MAX } },
  });
  // The client says it already.
  queue.on('error', () => undefined);
  const closing = new AbortController();

  // All that wait for Redis wait together.
  let readiness: Promise<void> | undefined;
  const ready = (withinMs: number): Promise<void> => {
    readiness ??= redisReady(redis, withinMs).finally(() => {
      readiness = undefined;
    });
    return readiness;
  };
  const add = async (registrationId: string, withinMs: number): Promise<void> => {
    await ready(withinMs);
    await queue.add(
      'registration',
      { registrationId },
      { ...REGISTRATION_JOB, jobId: registrationId },
    );
  };

  return {
    enqueue: async (registrationId) => {
      if (!ID.test(registrationId)) throw new TypeError('This is no id of a registration.');
      const deadlineMs = performance.now() + enqueueMsMax;
      for (let pauseMs = AGAIN_MS_FIRST; ; pauseMs = Math.min(pauseMs * 2, AGAIN_MS_MAX)) {
        try {
          await add(registrationId, Math.max(1, deadlineMs - performance.now()));
          return;
        } catch (cause) {
          const isLast = closing.signal.aborted || performance.now() + pauseMs >= deadlineMs;
          if (isLast) throw new MailQueueError('The mail was not queued.', { cause });
        }
        await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    },
    close: async () => {
      closing.abort();
      await queue.close();
      await closeRedis(redis);
    },
  };
}

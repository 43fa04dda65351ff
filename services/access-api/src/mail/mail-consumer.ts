import { randomUUID } from 'node:crypto';
import { type Clock, createRedis, type Logger, type RedisClient } from '@vcds/service-kit';
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Registry } from 'prom-client';
import type { MailSource } from '../registration/mail-source.ts';
import type { UnsentMails } from '../registration/unsent-mails.ts';
import { backOffMs } from './back-off.ts';
import { runCanary } from './canary.ts';
import { type Delivery, deliver, type Failure } from './deliver.ts';
import { measureMail } from './mail-measures.ts';
import { addRegistration, openMailQueue } from './mail-queue.ts';
import type { MailTransport } from './mail-transport.ts';
import {
  CANARY_JOB,
  type MailJob,
  type MailJobName,
  QUEUE_NAME,
  QUEUE_PREFIX,
} from './queue-layout.ts';
import { requeueUnsent } from './requeue-unsent.ts';
import { createSentHere } from './sent-here.ts';

/** Messages under way at the same time. */
const CONCURRENCY = 5;
/** A worker that was killed keeps its jobs this long; a living one renews in time. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** A job may be taken over again and again: the life of its code sets the bound. */
const STALLED_MAX = 1_000;
/** After losing Redis in the midst of an acknowledgement. */
const AGAIN_MS = 1_000;
/** How long an empty queue is listened to at a time. */
const LISTEN_SECONDS = 5;
/** The life of a code (spec §5.2 rule 6), for jobs whose registration cannot be read. */
const CODE_LIFE_MS = 600_000;
/** A send may take 10 s, and its acknowledgements a little more. */
const FINISH_MS_MAX = 12_000;

/** Sends what the mail queue asks for. Any number may run side by side. */
export interface MailConsumer {
  /** Rejects when the queue works and this consumer has taken nothing from it for a minute. */
  assertConsuming(): Promise<void>;
  /** Rejects while the queue's Redis cannot be reached. */
  assertConnected(): Promise<void>;
  /** Takes no more, finishes what is under way, within `closeMsMax`. */
  close(): Promise<void>;
  readonly closeMsMax: number;
}

export interface MailConsumerOptions {
  /** `QUEUE_REDIS_URL`. */
  readonly url: string;
  readonly source: MailSource;
  readonly unsent: UnsentMails;
  readonly transport: MailTransport;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly clock: Clock;
  /** How often a canary is sent. Default 5,000. */
  readonly canaryEveryMs?: number;
  /** How often unsent registrations are looked for. Default 5,000. */
  readonly requeueEveryMs?: number;
}

type MailBullJob = Job<MailJob, string, MailJobName>;

/** An attempt that failed, with the time to wait before the next; its text goes into the queue. */
class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly waitMs: number;

  constructor(text: string, waitMs: number) {
    super(text);
    this.waitMs = waitMs;
  }
}

/**
 * Starts consuming as soon as the queue's Redis is there. A message goes out at most once, but for
 * a process that is killed between sending and acknowledging: then the job is taken over within
 * 20 s and the same message, with the same code, goes out again.
 */
export function startMailConsumer(options: MailConsumerOptions): MailConsumer {
  const { url, logger, clock, transport, source, registry } = options;
  const redis = createRedis({ url, name: 'mail-consumer', logger, hasOfflineQueue: true });
  const queue = openMailQueue(redis);
  const canaryId = `canary-${randomUUID()}`;
  const canary = runCanary({
    put: () => queue.add('canary', {}, { ...CANARY_JOB, jobId: canaryId }),
    clock,
    logger,
    ...(options.canaryEveryMs === undefined ? {} : { everyMs: options.canaryEveryMs }),
  });
  const measures = measureMail(registry, {
    jobCounts: async () => (isThere(redis) ? queue.getJobCounts() : undefined),
    unansweredCanaries: canary.unanswered,
  });
  const delivery: Delivery = {
    source,
    transport,
    clock,
    logger,
    sentHere: createSentHere(clock),
    onSent: (seconds, isSent) => measures.recordSend(transport.name, isSent, seconds),
  };
  const consume = async (job: MailBullJob): Promise<string> => {
    canary.consumed();
    const { registrationId } = job.data;
    if (registrationId === undefined) return 'canary';
    const outcome = await deliver(registrationId, delivery);
    if (outcome.is === 'failed') {
      const error = failureOf(outcome.failure, job, clock);
      const isLast = error instanceof UnrecoverableError;
      measures.recordResult(isLast ? 'failed' : 'retried');
      const line = { registrationId, attempt: job.attemptsMade + 1, reason: error.message };
      if (isLast) logger.error(line, 'mail was given up');
      else logger.warn({ ...line, waitMs: error.waitMs }, 'mail will be tried again');
      throw error;
    }
    measures.recordResult(outcome.is);
    if (outcome.is === 'sent') measures.recordDelay((clock.wallMs() - job.timestamp) / 1_000);
    logger.info({ registrationId, outcome: outcome.is }, 'mail');
    return outcome.is;
  };
  const worker = openWorker(redis, consume, logger);
  const requeue = requeueUnsent({
    unsent: options.unsent,
    enqueue: async (id) => {
      if ((await queue.getJobState(id)) !== 'unknown') return false;
      await addRegistration(queue, id);
      return true;
    },
    onRequeued: (registrationId) => {
      measures.recordRequeued();
      logger.warn({ registrationId }, 'unsent mail was not in the queue; it is now');
    },
    logger,
    everyMs: options.requeueEveryMs,
  });
  worker.on('stalled', measures.recordStalled);
  return {
    assertConsuming: canary.assertConsuming,
    assertConnected: async () => {
      if (!isThere(redis)) throw new Error('The Redis of the mail queue is not there.');
    },
    close: async () => {
      canary.stop();
      requeue.stop();
      await (isThere(redis) ? worker.close() : worker.close(true));
      await queue.close();
      redis.disconnect();
    },
    closeMsMax: FINISH_MS_MAX,
  };
}

function failureOf(
  { text, isFinal, retryAfterMs, expiresAtMs }: Failure,
  job: MailBullJob,
  clock: Clock,
): AttemptFailed | UnrecoverableError {
  if (isFinal) return new UnrecoverableError(text);
  const endMs = expiresAtMs ?? job.timestamp + CODE_LIFE_MS;
  const attempt = job.attemptsMade + 1;
  const leftMs = endMs - clock.wallMs();
  const waitMs = backOffMs({ attempt, leftMs, retryAfterMs }, Math.random());
  return waitMs === undefined ? new UnrecoverableError(text) : new AttemptFailed(text, waitMs);
}

function openWorker(
  redis: RedisClient,
  consume: (job: MailBullJob) => Promise<string>,
  logger: Logger,
): Worker<MailJob, string, MailJobName> {
  const worker = new Worker<MailJob, string, MailJobName>(QUEUE_NAME, consume, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
    concurrency: CONCURRENCY,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: STALLED_MAX,
    drainDelay: LISTEN_SECONDS,
    runRetryDelay: AGAIN_MS,
    settings: {
      backoffStrategy: (_attempt, _type, error) =>
        error instanceof AttemptFailed ? error.waitMs : AGAIN_MS,
    },
  });
  worker.on('error', (error) => logger.warn({ error }, 'mail queue error'));
  return worker;
}

function isThere(redis: RedisClient): boolean {
  return redis.status === 'ready';
}

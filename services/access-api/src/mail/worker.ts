import { randomUUID } from 'node:crypto';
import {
  type Clock,
  createOutageLog,
  createRedis,
  type Logger,
  type RedisClient,
  repeat,
  secondsSince,
  tracedJobs,
  within,
} from '@vcds/service-kit';
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Registry } from 'prom-client';
import { LIMITS } from '../registration/limits.ts';
import type { MailSource, UnsentMails } from '../registration/mail-source.ts';
import { runCanary } from './canary.ts';
import { createSentHere, type Delivery, deliver, type Failure } from './deliver.ts';
import { createMailMetrics, type MailMetrics } from './metrics.ts';
import {
  addRegistration,
  CANARY_JOB,
  type MailBullQueue,
  type MailJob,
  type MailJobName,
  openMailQueue,
  QUEUE_NAME,
  QUEUE_PREFIX,
} from './queue.ts';
import { AttemptFailed, retryDelayMs } from './retry-delay.ts';
import type { MailTransport } from './transport.ts';

/** Messages in delivery at the same time. */
const CONCURRENCY = 5;
/** A crashed worker holds its jobs this long; a running one renews its locks in time. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** No bound in practice: the life of the code bounds how often a job is taken over. */
const STALLED_MAX = 1_000;
/** After an error of the connection. */
const RUN_RETRY_MS = 1_000;
/** How long one blocking read of an empty queue takes at most. */
const LISTEN_SECONDS = 5;
/** A request to the provider may take 10 s, and its acknowledgements a little more. */
const FINISH_MS_MAX = 12_000;
const PING_MS_MAX = 1_000;
const REQUEUE_EVERY_MS = 5_000;
/** An unsent message that is in the queue is checked again after this time. */
const REQUEUE_AGAIN_MS = 60_000;

/** Sends the messages of the mail queue. Several consumers can share a queue. */
export type MailConsumer = ReturnType<typeof startMailConsumer>;

export interface MailConsumerOptions {
  /** `QUEUE_REDIS_URL`. */
  readonly url: string;
  readonly source: MailSource;
  readonly unsent: UnsentMails;
  readonly transport: MailTransport;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly clock: Clock;
  /** How often a canary is queued. Default 5,000. */
  readonly canaryEveryMs?: number;
  /** How often unsent registrations are read. Default 5,000. */
  readonly requeueEveryMs?: number;
}

type MailBullJob = Job<MailJob, string, MailJobName>;

// A canary has no span.
const spanOf = ({ name, data }: MailBullJob) =>
  name === 'canary' ? undefined : { name: 'send mail', traceparent: data.traceparent };

/**
 * Starts to consume as soon as the queue's Redis is available. A message is sent at most once,
 * except if the process crashes between sending and acknowledging: another worker then takes over
 * the job within 20 s and sends the same message, with the same code, again.
 */
export function startMailConsumer(options: MailConsumerOptions) {
  const { url, logger, clock, transport, source, registry } = options;
  const redis = createRedis({ url, name: 'mail-consumer', logger, hasOfflineQueue: true });
  const queue = openMailQueue(redis);
  const canaryId = `canary-${randomUUID()}`;
  const canary = runCanary({
    put: () => queue.add('canary', {}, { ...CANARY_JOB, jobId: canaryId }),
    clock,
    logger,
    everyMs: options.canaryEveryMs,
  });
  const metrics = createMailMetrics(registry, {
    jobCounts: async () => (isConnected(redis) ? queue.getJobCounts() : undefined),
    unansweredCanaries: canary.unanswered,
  });
  const delivery: Delivery = {
    source,
    transport,
    clock,
    logger,
    sentHere: createSentHere(clock),
    onSent: (seconds, isSent) => metrics.recordSend(transport.name, isSent, seconds),
  };
  const consume = tracedJobs(spanOf, async (job: MailBullJob): Promise<string> => {
    canary.consumed();
    const { registrationId } = job.data;
    if (registrationId === undefined) return 'canary';
    const outcome = await deliver(registrationId, delivery);
    if (outcome.is === 'failed') throw failureOf(outcome.failure, job);
    metrics.recordResult(outcome.is);
    if (outcome.is === 'sent') metrics.recordDelay(secondsSince(job.timestamp, clock));
    logger.info({ registrationId, outcome: outcome.is }, 'mail');
    return outcome.is;
  });
  const worker = openWorker(redis, consume, clock);
  const outages = createOutageLog(clock);
  worker.on('error', (error) => outages.warn(logger, 'mail queue error', error));
  worker.on('stalled', metrics.recordStalled);
  worker.on('failed', (job, error) => recordFailure(job, error, metrics, logger));
  const requeue = repeat(() => requeueUnsent(options.unsent, queue, metrics, logger), {
    everyMs: options.requeueEveryMs ?? REQUEUE_EVERY_MS,
    onError: (error) => outages.warn(logger, 'unsent mail could not be queued', error),
  });
  return {
    /** Rejects if the queue works and this consumer took no job from it for a minute. */
    assertConsuming: canary.assertConsuming,
    /** Rejects, in a second at most, while the queue's Redis is unavailable. */
    assertConnected: async (): Promise<void> => {
      if (!isConnected(redis)) throw new Error('The Redis of the mail queue is unavailable.');
      await within(PING_MS_MAX, redis.ping(), 'The Redis of the mail queue does not respond.');
    },
    /** Takes no more jobs and completes running ones, within `closeMsMax`. */
    close: async (): Promise<void> => {
      void Promise.all([canary.stop(), requeue.stop()]);
      await (isConnected(redis) ? worker.close() : worker.close(true));
      await queue.close();
      redis.disconnect();
    },
    closeMsMax: FINISH_MS_MAX,
  };
}

/**
 * Queues the messages of registrations that are neither sent nor in the queue, because the process
 * that opened them crashed or the queue did not accept the message. The job id is the registration id,
 * so any number of workers may do this at the same time.
 */
async function requeueUnsent(
  unsent: UnsentMails,
  queue: MailBullQueue,
  metrics: MailMetrics,
  logger: Logger,
): Promise<void> {
  for (const registrationId of await unsent.due()) {
    if ((await queue.getJobState(registrationId)) === 'unknown') {
      await addRegistration(queue, registrationId);
      metrics.recordRequeued();
      logger.warn({ registrationId }, 'unsent mail was missing from the queue; queued it');
    }
    await unsent.postpone(registrationId, REQUEUE_AGAIN_MS);
  }
}

function failureOf(
  failure: Failure,
  { timestamp }: MailBullJob,
): AttemptFailed | UnrecoverableError {
  if (failure.isFinal) return new UnrecoverableError(failure.text);
  return new AttemptFailed(failure, failure.expiresAtMs ?? timestamp + LIMITS.codeMs);
}

function recordFailure(
  job: MailBullJob | undefined,
  error: Error,
  metrics: MailMetrics,
  logger: Logger,
): void {
  const { id: registrationId, attemptsMade: attempt, delay: waitMs, finishedOn } = job ?? {};
  const isRetried = finishedOn === undefined;
  metrics.recordResult(isRetried ? 'retried' : 'failed');
  const line = { registrationId, attempt, reason: error.message };
  if (isRetried) logger.warn({ ...line, waitMs }, 'mail will be retried');
  else logger.error(line, 'mail failed');
}

function openWorker(
  redis: RedisClient,
  consume: (job: MailBullJob) => Promise<string>,
  clock: Clock,
): Worker<MailJob, string, MailJobName> {
  return new Worker<MailJob, string, MailJobName>(QUEUE_NAME, consume, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
    concurrency: CONCURRENCY,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: STALLED_MAX,
    drainDelay: LISTEN_SECONDS,
    runRetryDelay: RUN_RETRY_MS,
    settings: {
      backoffStrategy: (attemptsMade, _type, error) =>
        retryDelayMs(attemptsMade, error, clock.wallMs()),
    },
  });
}

function isConnected(redis: RedisClient): boolean {
  return redis.status === 'ready';
}

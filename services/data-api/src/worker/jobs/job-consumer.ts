import { setTimeout as delay } from 'node:timers/promises';
import {
  type Clock,
  createOutageLog,
  createRedis,
  type Logger,
  type RedisClient,
  redisReady,
  tracedJobs,
  within,
} from '@vcds/service-kit';
import { type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { DataWorkerConfig } from '../config.ts';
import type { JobCounts, JobSchedule } from './job.ts';
import { withJobLock } from './job-lock.ts';
import { createJobMetrics, type JobOutcome } from './job-metrics.ts';
import {
  openJobQueue,
  QUEUE_NAME,
  QUEUE_PREFIX,
  queueDueJobs,
  storeSchedules,
} from './job-queue.ts';

/** A crashed worker holds its runs this long; a running one renews its locks in time. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** A run that ends its process this often is given up until its next time. */
const STALLED_MAX = 3;
const RUN_RETRY_MS = 1_000;
const LISTEN_SECONDS = 5;
const SCHEDULE_EVERY_MS = 60_000;
/** A run returns, or its thread is terminated, within 5 s of the abort. */
const FINISH_MS_MAX = 10_000;
const LAST_SUCCESSES = `${QUEUE_PREFIX}:last-successes`;
const PING_MS_MAX = 1_000;

const spanOf = (job: Job) => ({ name: `job ${job.name}` });

export interface JobConsumerOptions {
  readonly config: DataWorkerConfig;
  readonly jobs: readonly JobSchedule[];
  /** One run of a job. It ends soon after the signal is aborted. */
  readonly run: (job: string, signal: AbortSignal) => Promise<JobCounts>;
  /** For `isDue` of the jobs. */
  readonly pool: pg.Pool;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly clock: Clock;
  /** How long a crashed worker holds its runs. Default 10,000. */
  readonly lockMs?: number;
}

/**
 * Runs the jobs of the queue, several at a time, but never two runs of one job, in any worker. It
 * stores the schedules as soon as Redis is available, and checks every minute which jobs are due.
 * Another worker takes over the runs of a crashed one within 20 s.
 */
export function startJobConsumer(options: JobConsumerOptions) {
  const { config, jobs, logger, clock } = options;
  const redis = createRedis({
    url: config.queueRedisUrl,
    name: 'data-worker-jobs',
    logger,
    hasOfflineQueue: true,
  });
  const queue = openJobQueue(redis);
  const stop = new AbortController();
  const metrics = createJobMetrics(options.registry, jobs, async () =>
    isConnected(redis) ? readLastSuccesses(redis) : new Map(),
  );

  const consume = tracedJobs(spanOf, async (job: Job<object, string>, token?: string) => {
    const row = jobs.find(({ name }) => name === job.name);
    if (row === undefined) throw new UnrecoverableError(`There is no job ${job.name}.`);
    const startedMs = clock.monotonicMs();
    const end = (outcome: JobOutcome, counts?: JobCounts) => {
      const seconds = Math.round(clock.monotonicMs() - startedMs) / 1_000;
      metrics.record(row.name, outcome, seconds, counts);
      return { job: row.name, outcome, seconds };
    };
    try {
      const counts = await runAlone(row, options, stop.signal);
      if (counts !== undefined) {
        await redis.hset(LAST_SUCCESSES, row.name, String(clock.wallMs() / 1_000));
      }
      const line = end(counts === undefined ? 'busy' : 'succeeded', counts);
      logger.info({ ...line, ...counts }, 'job finished');
      return line.outcome;
    } catch (error) {
      if (stop.signal.aborted) {
        logger.info(end('stopped'), 'job stopped; another worker repeats it');
        await job.moveToWait(token);
        throw new WaitingError();
      }
      logger.error({ ...end('failed'), attempt: job.attemptsMade + 1, error }, 'job failed');
      throw error;
    }
  });

  const worker = new Worker<object, string>(QUEUE_NAME, consume, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
    concurrency: Math.max(1, jobs.length),
    lockDuration: options.lockMs ?? LOCK_MS,
    stalledInterval: Math.min(STALLED_CHECK_MS, options.lockMs ?? LOCK_MS),
    maxStalledCount: STALLED_MAX,
    drainDelay: LISTEN_SECONDS,
    runRetryDelay: RUN_RETRY_MS,
  });
  const outages = createOutageLog(clock);
  worker.on('error', (error) => outages.warn(logger, 'job queue error', error));
  worker.on('stalled', (id) => logger.warn({ id }, 'took over the run of a crashed worker'));

  const schedule = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await redisReady(redis, SCHEDULE_EVERY_MS);
        await storeSchedules(queue, jobs, config);
        await queueDueJobs(queue, jobs, options);
      } catch (error) {
        if (!stop.signal.aborted) outages.warn(logger, 'jobs could not be scheduled', error);
      }
      await delay(SCHEDULE_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const scheduling = schedule();

  return {
    queue,
    /** Rejects, in a second at most, while the queue's Redis is unavailable. */
    assertConnected: async (): Promise<void> => {
      if (!isConnected(redis)) throw new Error('The Redis of the job queue is unavailable.');
      await within(PING_MS_MAX, redis.ping(), 'The Redis of the job queue does not respond.');
    },
    /** Stops the runs, which another worker repeats, within `closeMsMax`. */
    close: async (): Promise<void> => {
      stop.abort();
      await worker.close(!isConnected(redis));
      if (!isConnected(redis)) redis.disconnect();
      await scheduling;
      await queue.close();
      redis.disconnect();
    },
    closeMsMax: FINISH_MS_MAX,
  };
}

/** A run under the lock of its job and its time limit; undefined if another run goes on. */
function runAlone(
  { name, msMax }: JobSchedule,
  { config, run }: JobConsumerOptions,
  stopping: AbortSignal,
): Promise<JobCounts | undefined> {
  const lock = { connectionString: config.databaseUrl, job: name, signal: stopping };
  return withJobLock(lock, async (signal) => {
    const limit = new AbortController();
    const reason = new Error(`The run took longer than ${msMax / 1_000} s.`);
    const timer = setTimeout(() => limit.abort(reason), msMax);
    try {
      return await run(name, AbortSignal.any([signal, limit.signal]));
    } finally {
      clearTimeout(timer);
    }
  });
}

async function readLastSuccesses(redis: RedisClient): Promise<ReadonlyMap<string, number>> {
  const entries = Object.entries(await redis.hgetall(LAST_SUCCESSES));
  return new Map(entries.map(([job, seconds]) => [job, Number(seconds)]));
}

function isConnected(redis: RedisClient): boolean {
  return redis.status === 'ready';
}

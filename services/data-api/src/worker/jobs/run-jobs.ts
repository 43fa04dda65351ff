import { setTimeout as delay } from 'node:timers/promises';
import {
  type Clock,
  createOutageLog,
  createRedis,
  type Logger,
  type OutageLog,
  type RedisClient,
  systemClock,
  tracedJobs,
  within,
} from '@vcds/service-kit';
import {
  type Job,
  type JobSchedulerTemplateOptions,
  Queue,
  UnrecoverableError,
  WaitingError,
  Worker,
} from 'bullmq';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts';
import type { DataWorkerConfig } from '../config.ts';
import { runAsLeader } from '../run-as-leader.ts';
import { createJobMetrics, type JobOutcome } from './job-metrics.ts';
import type { JobCounts, JobSchedule } from './jobs.ts';

const QUEUE_NAME = 'jobs';
/** A hash tag: all keys of the queue are in one slot of a Redis Cluster. */
const QUEUE_PREFIX = '{jobs}';
const LAST_SUCCESSES = `${QUEUE_PREFIX}:last-successes`;
/** Length of BullMQ's stream of events. */
const QUEUE_EVENTS_MAX = 1_000;
const ATTEMPTS: JobSchedulerTemplateOptions = Object.freeze({
  attempts: 3,
  backoff: { type: 'exponential', delay: 60_000 },
  removeOnComplete: { count: 100 },
  removeOnFail: { count: 100 },
  stackTraceLimit: 0,
  keepLogs: 0,
});
/** A job that was started outside its schedule is not started so again for this long. */
const DUE_AGAIN_MS = 600_000;
const SCHEDULE_EVERY_MS = 60_000;
/** Between two statements of the leader, whose session ends after five seconds without one. */
const BEAT_MS = 1_000;
const REDIS_MS_MAX = 2_000;
/** A killed leader holds its run this long; a running one renews its lock in time. */
const LOCK_MS = 10_000;
const RUN_RETRY_MS = 1_000;
/** A run that ends its process this often is given up until its next time. */
const STALLED_MAX = 3;
/** A run returns, or its process is killed, within five seconds of the abort. */
const FINISH_MS_MAX = 10_000;

export interface JobsOptions {
  readonly config: DataWorkerConfig;
  readonly jobs: readonly JobSchedule[];
  /** One run of a job. It ends soon after the signal is aborted. */
  readonly run: (job: string, signal: AbortSignal) => Promise<JobCounts>;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** How long a killed leader holds its run. Default 10,000. */
  readonly lockMs?: number;
}

/** BullMQ's queue of jobs on an open connection. */
export function openJobQueue(redis: RedisClient): Queue<object, string> {
  const queue: Queue<object, string> = new Queue(QUEUE_NAME, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
    streams: { events: { maxLen: QUEUE_EVENTS_MAX } },
  });
  // The Redis client already logs it.
  queue.on('error', () => undefined);
  return queue;
}

/** The resources that the steps of a leader share. */
interface Leader extends JobsOptions {
  readonly clock: Clock;
  readonly redis: RedisClient;
  readonly queue: Queue<object, string>;
  readonly metrics: ReturnType<typeof createJobMetrics>;
  readonly outages: OutageLog;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/**
 * Runs the jobs of the queue, one after another, in one worker at a time: in the one whose session
 * holds the lock of jobs ({@link runAsLeader}). It stores the schedules, and checks every minute which
 * jobs are due. When it is killed or loses its session, another worker repeats its run within 20 s.
 */
export function startJobs(options: JobsOptions) {
  const { config, jobs, logger, clock = systemClock } = options;
  const redis = createRedis({
    ...{ url: config.queueRedisUrl, name: 'data-worker-jobs', logger, hasOfflineQueue: true },
  });
  const queue = openJobQueue(redis);
  const stop = new AbortController();
  const leader: Leader = {
    ...{ ...options, clock, redis, queue, stopping: stop.signal },
    outages: createOutageLog(clock),
    metrics: createJobMetrics(options.registry, jobs, async () =>
      isConnected(redis) ? readLastSuccesses(redis) : new Map(),
    ),
  };
  const done = runAsLeader({
    ...{ connectionString: config.databaseUrl, name: 'data-worker jobs', logger },
    ...{ lock: ADVISORY_LOCKS.jobs, settings: {}, statementMsMax: 10_000, retryMs: 1_000 },
    ...{ signal: stop.signal, lead: (client) => lead(client, leader) },
  });
  return {
    /** Rejects, in a second at most, while the queue's Redis is unavailable. */
    assertConnected: async (): Promise<void> => {
      if (!isConnected(redis)) throw new Error('The Redis of the job queue is unavailable.');
      await within(1_000, redis.ping(), 'The Redis of the job queue does not respond.');
    },
    /** Stops the run, which another worker repeats, within `closeMsMax`. */
    close: async (): Promise<void> => {
      stop.abort();
      if (!isConnected(redis)) redis.disconnect();
      await done;
      await queue.close();
      redis.disconnect();
    },
    closeMsMax: FINISH_MS_MAX,
  };
}

/** Takes jobs while the session holds the lock, which a statement a second keeps. */
async function lead(client: pg.Client, leader: Leader): Promise<number> {
  const { queue, redis, clock, outages, logger, stopping, lockMs = LOCK_MS } = leader;
  const end = new AbortController();
  const consume = tracedJobs(
    (job: Job<object, string>) => ({ name: `job ${job.name}` }),
    (job: Job<object, string>, token?: string) => consumeJob(job, token, leader, end.signal),
  );
  const worker = new Worker<object, string>(QUEUE_NAME, consume, {
    ...{ connection: redis, prefix: QUEUE_PREFIX, skipVersionCheck: true },
    ...{ lockDuration: lockMs, stalledInterval: lockMs / 2, maxStalledCount: STALLED_MAX },
    runRetryDelay: RUN_RETRY_MS,
  });
  worker.on('error', (error) => outages.warn(logger, 'job queue error', error));
  worker.on('stalled', (id) => logger.warn({ id }, 'took over the run of a killed worker'));
  let nextMs = Number.NEGATIVE_INFINITY;
  try {
    while (!stopping.aborted) {
      await client.query('SELECT 1');
      if (clock.monotonicMs() >= nextMs && isConnected(redis)) {
        nextMs = clock.monotonicMs() + SCHEDULE_EVERY_MS;
        await within(REDIS_MS_MAX, schedule(queue, client, leader), 'It took too long.').catch(
          (error) => outages.warn(logger, 'jobs could not be scheduled', error),
        );
      }
      await delay(BEAT_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  } finally {
    // It closes before the run ends: else it would take the job again that the run puts back.
    const closed = worker.close(!isConnected(redis));
    end.abort(new Error('The process stops, or its database session was lost.'));
    await closed;
  }
  return 0;
}

/** One job of the queue. A run that stops with its leader waits for the next one. */
async function consumeJob(
  job: Job<object, string>,
  token: string | undefined,
  { jobs, run, redis, metrics, logger, clock }: Leader,
  leading: AbortSignal,
): Promise<string> {
  const row = jobs.find(({ name }) => name === job.name);
  if (row === undefined) throw new UnrecoverableError(`There is no job ${job.name}.`);
  const startedMs = clock.monotonicMs();
  const end = (outcome: JobOutcome, counts?: JobCounts) => {
    const seconds = Math.round(clock.monotonicMs() - startedMs) / 1_000;
    metrics.record(row.name, outcome, seconds, counts);
    return { job: row.name, outcome, seconds };
  };
  try {
    const counts = await runLimited(row, run, leading);
    await redis.hset(LAST_SUCCESSES, row.name, String(clock.wallMs() / 1_000));
    logger.info({ ...end('succeeded', counts), ...counts }, 'job finished');
    return 'succeeded';
  } catch (error) {
    if (leading.aborted) {
      logger.info(end('stopped'), 'job stopped; another worker repeats it');
      await job.moveToWait(token);
      throw new WaitingError();
    }
    logger.error({ ...end('failed'), attempt: job.attemptsMade + 1, error }, 'job failed');
    throw error;
  }
}

/**
 * Stores the schedule of every job, once for all workers, removes those of jobs that are off or no
 * longer exist, and queues each job that cannot wait, once in ten minutes at most. A schedule that is
 * stored already keeps its next run, also one that is overdue.
 */
async function schedule(
  queue: Queue<object, string>,
  client: pg.Client,
  { jobs, config }: JobsOptions,
): Promise<void> {
  const stored = await queue.getJobSchedulers();
  const isOn = (name: string) =>
    jobs.some((job) => job.name === name && job.scheduleOf(config) !== 'off');
  for (const { key } of stored) if (!isOn(key)) await queue.removeJobScheduler(key);
  for (const { name, scheduleOf, isDue } of jobs.filter((job) => isOn(job.name))) {
    const pattern = scheduleOf(config);
    if (!stored.some((each) => each.key === name && each.pattern === pattern)) {
      await queue.upsertJobScheduler(name, { pattern, tz: 'UTC' }, { name, opts: ATTEMPTS });
    }
    if ((await isDue?.(client)) === true) {
      await queue.add(name, {}, { ...ATTEMPTS, deduplication: { id: name, ttl: DUE_AGAIN_MS } });
    }
  }
}

/** A run under its time limit. */
async function runLimited(
  { name, msMax }: JobSchedule,
  run: JobsOptions['run'],
  leading: AbortSignal,
): Promise<JobCounts> {
  const limit = new AbortController();
  const reason = new Error(`The run took longer than ${msMax / 1_000} s.`);
  const timer = setTimeout(() => limit.abort(reason), msMax);
  try {
    return await run(name, AbortSignal.any([leading, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

async function readLastSuccesses(redis: RedisClient): Promise<ReadonlyMap<string, number>> {
  const entries = Object.entries(await redis.hgetall(LAST_SUCCESSES));
  return new Map(entries.map(([job, seconds]) => [job, Number(seconds)]));
}

function isConnected(redis: RedisClient): boolean {
  return redis.status === 'ready';
}

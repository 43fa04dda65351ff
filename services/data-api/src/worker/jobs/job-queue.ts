import type { RedisClient } from '@vcds/service-kit';
import { type JobSchedulerTemplateOptions, Queue } from 'bullmq';
import type pg from 'pg';
import type { DataWorkerConfig } from '../config.ts';
import type { JobSchedule } from './job.ts';

export const QUEUE_NAME = 'jobs';
/** A hash tag: all keys of the queue are in one slot of a Redis Cluster. */
export const QUEUE_PREFIX = '{jobs}';
/** Length of BullMQ's stream of events. */
const QUEUE_EVENTS_MAX = 1_000;
/** A job that was started outside its schedule is not started so again for this long. */
const DUE_AGAIN_MS = 600_000;

const ATTEMPTS: JobSchedulerTemplateOptions = Object.freeze({
  attempts: 3,
  backoff: { type: 'exponential', delay: 60_000 },
  removeOnComplete: { count: 100 },
  removeOnFail: { count: 100 },
  stackTraceLimit: 0,
  keepLogs: 0,
});

export type JobQueue = Queue<object, string>;

/** BullMQ's queue of jobs on an open connection. */
export function openJobQueue(redis: RedisClient): JobQueue {
  const queue: JobQueue = new Queue(QUEUE_NAME, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
    streams: { events: { maxLen: QUEUE_EVENTS_MAX } },
  });
  // The Redis client already logs it.
  queue.on('error', () => undefined);
  return queue;
}

/**
 * Stores the schedule of every job, once for all workers, and removes those of jobs that are off or
 * no longer exist. A schedule that is stored already keeps its next run.
 */
export async function storeSchedules(
  queue: JobQueue,
  jobs: readonly JobSchedule[],
  config: DataWorkerConfig,
): Promise<void> {
  const wanted = new Map(jobs.map((job): [string, string] => [job.name, job.scheduleOf(config)]));
  const stored = await queue.getJobSchedulers();
  for (const { key } of stored) {
    if ((wanted.get(key) ?? 'off') === 'off') await queue.removeJobScheduler(key);
  }
  for (const [name, pattern] of wanted) {
    const isStored = stored.some((each) => each.key === name && each.pattern === pattern);
    if (pattern === 'off' || isStored) continue;
    await queue.upsertJobScheduler(name, { pattern, tz: 'UTC' }, { name, opts: ATTEMPTS });
  }
}

/**
 * Queues each job that cannot wait for its schedule, except those that are off; once in ten minutes
 * at most, for all workers.
 */
export async function queueDueJobs(
  queue: JobQueue,
  jobs: readonly JobSchedule[],
  { config, pool }: { readonly config: DataWorkerConfig; readonly pool: pg.Pool },
): Promise<void> {
  for (const { name, isDue, scheduleOf } of jobs) {
    if (isDue === undefined || scheduleOf(config) === 'off' || !(await isDue(pool))) continue;
    await queue.add(name, {}, { ...ATTEMPTS, deduplication: { id: name, ttl: DUE_AGAIN_MS } });
  }
}

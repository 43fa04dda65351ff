import type { JobsOptions } from 'bullmq';
import { ATTEMPTS_MAX } from './retry-delay.ts';

export const QUEUE_NAME = 'mail';
/** A hash tag: all keys of the queue are in one slot of a Redis Cluster. */
export const QUEUE_PREFIX = '{mail}';
/** Length of BullMQ's stream of events. */
export const QUEUE_EVENTS_MAX = 1_000;

/** The data of a job: never an address, a code or a link. */
export interface MailJob {
  readonly registrationId?: string;
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

import type { JobsOptions } from 'bullmq';
import { ATTEMPTS_MAX } from './back-off.ts';

export const QUEUE_NAME = 'mail';
/** A hash tag: all keys of the queue lie in one slot of a Redis Cluster. */
export const QUEUE_PREFIX = '{mail}';
/** What the queue tells of itself is not kept for long. */
export const QUEUE_EVENTS_MAX = 1_000;

/** All a job carries: never an address, a code or a link. */
export interface MailJob {
  readonly registrationId?: string;
}

/** `canary` jobs only show that the queue is consumed. */
export type MailJobName = 'registration' | 'canary';

/** The queue's job id is the registration's: however often it is asked for, it is one job. */
export const REGISTRATION_JOB: JobsOptions = Object.freeze({
  attempts: ATTEMPTS_MAX,
  backoff: { type: 'until-expiry' },
  // Longer than a code lives, so that a late second request for the same mail finds the first.
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

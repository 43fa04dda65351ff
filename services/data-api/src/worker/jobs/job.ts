import type { Logger } from '@vcds/service-kit';
import type pg from 'pg';
import type { DataWorkerConfig } from '../config.ts';

/** The results of a run by name, for the log. */
export type JobCounts = Readonly<Record<string, number>>;

/** The resources of a run. */
export interface JobContext {
  readonly config: DataWorkerConfig;
  /** Two connections to the primary, as role `vcds_data_worker`. */
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** Aborted when the process stops, at the time limit, and when the lock of the job is lost. */
  readonly signal: AbortSignal;
}

/** A row of the table of jobs: when a job runs, and for how long at most. */
export interface JobSchedule {
  /** Name in the queue, the log and the metrics; never changes. */
  readonly name: string;
  /** Cron pattern in UTC, or `off`. */
  readonly scheduleOf: (config: DataWorkerConfig) => string;
  /** Time limit of a run, in milliseconds. */
  readonly msMax: number;
  /** Whether a run is needed before the next scheduled one; checked every minute, so cheap. */
  readonly isDue?: (pool: pg.Pool) => Promise<boolean>;
}

/** A job: its schedule and its work. */
export interface Job extends JobSchedule {
  /**
   * One run, in a thread of its own. It may be repeated at any time, because a run that was stopped
   * or whose process crashed starts again. It returns soon after `signal` is aborted.
   */
  readonly run: (context: JobContext) => Promise<JobCounts>;
}

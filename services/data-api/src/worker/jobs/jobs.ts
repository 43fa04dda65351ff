import type { Logger } from '@vcds/service-kit';
import type pg from 'pg';
import type { DataWorkerConfig } from '../config.ts';
import { areFactsDue, deriveFacts } from '../derive-facts.ts';
import { isResolutionDue } from '../resolve/is-resolution-due.ts';
import { isPredictionDue } from '../stages/is-prediction-due.ts';
import { isTrainingDue } from '../train/is-training-due.ts';

/** The results of a run by name, for the log and `vcds_job_result`. */
export type JobCounts = Readonly<Record<string, number>>;

/** The resources of a run. */
export interface JobContext {
  readonly config: DataWorkerConfig;
  /** Two connections to the primary, as role `vcds_data_worker`. */
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** Aborted when the worker stops or no longer leads, and at the time limit. */
  readonly signal: AbortSignal;
}

/** When a job runs, and for how long at most. */
export interface JobSchedule {
  /** Name in the queue, the log, the metrics and the alerts; never changes. */
  readonly name: string;
  /** Cron pattern in UTC, or `off`. */
  readonly scheduleOf: (config: DataWorkerConfig) => string;
  /** Time limit of a run, in milliseconds. */
  readonly msMax: number;
  /** Whether a run is needed before the next scheduled one; checked every minute, so cheap. */
  readonly isDue?: (database: Pick<pg.Pool, 'query'>) => Promise<boolean>;
}

/** A job: its schedule and its work. */
export interface Job extends JobSchedule {
  /**
   * One run, in a process of its own. It may be repeated at any time, because a run that was stopped
   * or whose process crashed starts again. It returns soon after `signal` is aborted.
   */
  readonly run: (context: JobContext) => Promise<JobCounts>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The jobs of the data worker. They run on schedules, one after another. Alerts use the time at which each last
 * succeeded and how often it failed (docs/operations.md). A row imports its work when it runs.
 */
export const JOBS: readonly Job[] = [
  {
    name: 'operating-status',
    scheduleOf: () => '1 * * * *',
    msMax: HOUR_MS,
    run: async ({ pool, signal }) => {
      const { recalculateOperatingStatus } = await import('@vcds/venture-model');
      return { ...(await recalculateOperatingStatus(pool, signal)) };
    },
  },
  {
    // Once after an upgrade.
    name: 'derive-facts',
    scheduleOf: () => '41 3 * * *',
    msMax: HOUR_MS,
    isDue: areFactsDue,
    run: async ({ pool, signal }) => ({ records: await deriveFacts(pool, signal) }),
  },
  {
    // Within minutes after an import, and every night for what changed by other means.
    name: 'resolve-companies',
    scheduleOf: () => '11 1 * * *',
    msMax: 3 * HOUR_MS,
    isDue: isResolutionDue,
    run: async ({ pool, signal }) => {
      const { resolveCompanies } = await import('../resolve/resolve-companies.ts');
      return { ...(await resolveCompanies(pool, signal)) };
    },
  },
  {
    name: 'snapshot',
    scheduleOf: ({ SNAPSHOT_URL, SNAPSHOT_SCHEDULE }) =>
      SNAPSHOT_URL === undefined ? 'off' : SNAPSHOT_SCHEDULE,
    msMax: 3 * HOUR_MS,
    run: async ({ config, pool, signal }) => {
      const { openSnapshotStore } = await import('../../replica/snapshot-store.ts');
      const { countsOf, writeSnapshot } = await import('../snapshots/write-snapshot.ts');
      const store = await openSnapshotStore(config.SNAPSHOT_URL ?? '');
      try {
        return countsOf(await writeSnapshot({ pool, store, signal }));
      } finally {
        store.close();
      }
    },
  },
  {
    name: 'train-models',
    scheduleOf: ({ TRAIN_SCHEDULE }) => TRAIN_SCHEDULE,
    msMax: HOUR_MS,
    isDue: isTrainingDue,
    run: async (context) => (await import('../train/train-models.ts')).trainModels(context),
  },
  {
    name: 'predict-stages',
    scheduleOf: ({ PREDICT_STAGES_SCHEDULE }) => PREDICT_STAGES_SCHEDULE,
    msMax: HOUR_MS,
    isDue: isPredictionDue,
    run: async ({ pool, signal }) => {
      const { predictStages } = await import('../stages/predict-stages.ts');
      return predictStages({ pool, signal, nowMs: Date.now() });
    },
  },
  {
    name: 'status-sweep',
    scheduleOf: (config) => (config.STATUS_SWEEP === 'on' ? config.STATUS_SWEEP_SCHEDULE : 'off'),
    msMax: 3 * HOUR_MS,
    run: async (context) =>
      (await import('../observations/status-sweep.ts')).sweepStatuses(context),
  },
];

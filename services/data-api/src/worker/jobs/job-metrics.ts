import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { JobCounts, JobSchedule } from './jobs.ts';

/** `stopped`: the process stopped or no longer leads; another one repeats it. */
export const JOB_OUTCOMES = ['succeeded', 'failed', 'stopped'] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** Metrics of the jobs. `lastSuccesses` reads what all workers have recorded. */
export function createJobMetrics(
  registry: Registry,
  jobs: readonly JobSchedule[],
  lastSuccesses: () => Promise<ReadonlyMap<string, number>>,
) {
  const registers = [registry];
  const runs = new Counter({
    name: 'vcds_job_runs_total',
    help: 'Runs of a job in this process by outcome: succeeded, failed or stopped.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  for (const { name: job } of jobs) {
    for (const outcome of JOB_OUTCOMES) runs.inc({ job, outcome }, 0);
  }
  const duration = new Histogram({
    name: 'vcds_job_duration_seconds',
    help: 'Duration of the runs of a job in this process.',
    labelNames: ['job'],
    buckets: [0.1, 1, 5, 15, 60, 300, 900, 1_800, 3_600],
    registers,
  });
  const results = new Gauge({
    name: 'vcds_job_result',
    help: 'Counts of the last successful run of a job in this process, by their names in the log.',
    labelNames: ['job', 'result'],
    registers,
  });
  new Gauge({
    name: 'vcds_job_last_success_timestamp_seconds',
    help: 'Unix time at which the job last succeeded, in any worker; absent before.',
    labelNames: ['job'],
    registers,
    collect: async function () {
      this.reset();
      for (const [job, seconds] of await lastSuccesses()) this.set({ job }, seconds);
    },
  });
  return {
    record: (job: string, outcome: JobOutcome, seconds: number, counts: JobCounts = {}): void => {
      runs.inc({ job, outcome });
      duration.observe({ job }, seconds);
      for (const [result, count] of Object.entries(counts)) results.set({ job, result }, count);
    },
  };
}

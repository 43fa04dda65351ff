import type { Job } from './job.ts';

/**
 * The jobs of the data worker. A row imports its work when it runs, so that the worker starts fast.
 */
export const JOBS: readonly Job[] = [];

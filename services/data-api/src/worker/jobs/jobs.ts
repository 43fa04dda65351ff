import { isPredictionDue } from '../stages/is-prediction-due.ts';
import { isTrainingDue } from '../train/is-training-due.ts';
import type { Job } from './job.ts';

const HOUR_MS = 3_600_000;

/**
 * The jobs of the data worker. A row imports its work when it runs, so that the worker starts fast.
 */
export const JOBS: readonly Job[] = [
  {
    name: 'train-models',
    scheduleOf: ({ TRAIN_SCHEDULE }) => TRAIN_SCHEDULE,
    msMax: HOUR_MS,
    isDue: isTrainingDue,
    run: async (context) => (await import('../train/train-models.ts')).trainModels(context),
  },
  {
    name: 'status-sweep',
    scheduleOf: (config) => (config.STATUS_SWEEP === 'on' ? config.STATUS_SWEEP_SCHEDULE : 'off'),
    msMax: 3 * HOUR_MS,
    run: async (context) =>
      (await import('../observations/status-sweep.ts')).sweepStatuses(context),
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
];

import { activeVersion } from '../../models/model-store.ts';
import type { JobContext, JobCounts } from '../jobs/jobs.ts';
import { trainMatching } from './train.ts';

/** Trains the models on the records and stores them. */
export async function trainModels({ pool, signal, logger }: JobContext): Promise<JobCounts> {
  const onStep = (step: string) => logger.debug({ step }, 'training');
  // The first model of a database serves sooner: the next training measures its ranking.
  const hasBackTest = (await activeVersion(pool)) !== undefined;
  const trained = await trainMatching({ pool, signal, onStep, nowMs: Date.now(), hasBackTest });
  if (trained === undefined) return { models: 0 };
  const { version, dataStamp, bytes } = trained;
  logger.info({ version }, 'matching model trained');
  return { models: 1, investments: dataStamp.investments, bytes };
}

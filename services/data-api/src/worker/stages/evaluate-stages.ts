import { evaluateStages, type StageReport } from '@vcds/stage-prediction';
import type pg from 'pg';
import { readTrainingCompanies } from './read-companies.ts';

/**
 * How the predictions of a day, from the rounds before it, compare with the rounds that came after.
 * @param split the day, in days since 1970-01-01.
 * @param until rounds from this day on are ignored; undefined: none.
 */
export async function evaluateNextStages(
  database: Pick<pg.ClientBase, 'query'>,
  split: number,
  until: number | undefined,
  signal: AbortSignal,
): Promise<StageReport> {
  const companies = await readTrainingCompanies(database, signal);
  signal.throwIfAborted();
  return evaluateStages(companies, split, until);
}

/** The figures of a report, without the weights of its model. */
export function stageMetrics({ model, ...metrics }: StageReport): object {
  return { ...metrics, trainedBefore: model.trainedBefore, thresholds: model.thresholds };
}

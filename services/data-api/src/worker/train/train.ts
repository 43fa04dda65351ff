/** Trains the model of /venturematching on the records and stores it. */
import {
  type EvaluationReport,
  evaluate,
  FEATURES,
  type InvestmentData,
  MODEL_FORMAT,
  train,
} from '@vcds/matching';
import type pg from 'pg';
import { type DataStamp, readDataStamp } from '../../models/data-stamp.ts';
import { encodeModel } from '../../models/model-bytes.ts';
import { saveModel } from '../../models/model-store.ts';
import { loadInvestments } from './load-investments.ts';
import { dayAtShare } from './split.ts';

/** The share of the investments before the day at which the back-test divides them. */
const BACK_TEST_SHARE = 0.9;
/** Questions of the back-test, so that its time does not grow with their number: each ranks all funds. */
const BACK_TEST_QUESTIONS_MAX = 500;

export interface TrainingContext {
  /** As a role that may write models: `vcds_data_worker`. */
  readonly pool: pg.Pool;
  readonly nowMs: number;
  /** Checked between the steps. */
  readonly signal?: AbortSignal;
  readonly onStep?: (step: string) => void;
  /** Whether the ranking is also measured on the newest tenth of the investments. Default: yes. */
  readonly hasBackTest?: boolean;
}

export interface TrainedModel {
  readonly version: string;
  readonly dataStamp: DataStamp;
  readonly metrics: BackTest;
  /** Compressed, as stored. */
  readonly bytes: number;
}

/** The quality of the ranking on the investments after a day, of a model trained on those before. */
export type BackTest = EvaluationReport | Record<string, never>;

/**
 * Loads the records, trains, measures, and stores the model, which serves from then on. Equal records
 * result in an equal model.
 *
 * @returns undefined if no investment has a date: there is nothing to train on.
 * @throws the reason of the signal, or the driver's error.
 */
export async function trainMatching(context: TrainingContext): Promise<TrainedModel | undefined> {
  const { pool, nowMs, signal, onStep = () => undefined, hasBackTest = true } = context;
  const enter = (step: string): void => {
    signal?.throwIfAborted();
    onStep(step);
  };
  enter('loading');
  const { data, dataStamp } = await loadAtOnce(pool, nowMs, onStep);
  const split = dayAtShare(data.investments.day, BACK_TEST_SHARE);
  if (split === undefined) return undefined;
  if (hasBackTest) enter('measuring');
  const metrics = hasBackTest
    ? evaluate(data, { split, questionsMax: BACK_TEST_QUESTIONS_MAX })
    : {};
  enter('training');
  const model = train(data, { onStep: (step) => enter(`training: ${step}`) });
  enter('saving');
  const content = await encodeModel({ model, data });
  signal?.throwIfAborted();
  const { seed, before, questions, rows, eventsMin } = model;
  const version = await saveModel(
    pool,
    {
      ...{ dataStamp, metrics, features: FEATURES, content },
      parameters: { format: MODEL_FORMAT, seed, before, questions, rows, eventsMin },
    },
    nowMs,
  );
  return { version, dataStamp, metrics, bytes: content.length };
}

/** The records of one moment, with their stamp. */
export async function loadAtOnce(
  pool: pg.Pool,
  nowMs: number,
  onStep: (step: string) => void = () => undefined,
): Promise<{ readonly data: InvestmentData; readonly dataStamp: DataStamp }> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const dataStamp = await readDataStamp(client);
    const data = await loadInvestments(client, nowMs, ({ step, rows }) =>
      onStep(`loading ${step}: ${rows.toLocaleString('en-US')}`),
    );
    await client.query('COMMIT');
    return { data, dataStamp };
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A connection with an open transaction is closed.
    client.release(failure);
  }
}

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  evaluateStages,
  expectedStage,
  type StageModel,
  type StageReport,
  trainStages,
} from '@vcds/stage-prediction';
import type pg from 'pg';
import { readDataStamp } from '../models/data-stamp.ts';
import { activeVersion, saveModel } from '../models/model-store.ts';
import { readStageRecords, readTrainingCompanies, type StageRecord } from './read-companies.ts';

const DAY_MS = 86_400_000;
/** The stored metrics compare predictions of a day this long ago with the rounds since. */
const BACK_TEST_DAYS = 540;

export interface PredictOptions {
  /** Of a role that may store models and predictions. */
  readonly pool: pg.Pool;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** The result of a prediction of all startups. */
export type PredictedCounts = Readonly<Record<'startups' | 'predicted' | 'changed', number>>;

/** Whether there are successive rounds to learn from, but no model yet. */
export async function isStageModelMissing(pool: pg.Pool): Promise<boolean> {
  if ((await activeVersion(pool, 'next_stage')) !== undefined) return false;
  const { rows } = await pool.query<{ isPossible: boolean }>(
    `SELECT EXISTS (SELECT FROM venture.startup WHERE deleted_at IS NULL AND rounds_count >= 2)
       AS "isPossible"`,
  );
  return rows[0]?.isPossible === true;
}

/**
 * Trains the model of the next stage on all confirmed rounds, stores it, and stores the prediction
 * of every startup where it differs: null where the model is not confident, where a source states
 * the stage, and for startups that are closed or acquired.
 */
export async function predictStages(options: PredictOptions): Promise<PredictedCounts> {
  const { pool, nowMs, signal } = options;
  // Rounds of today are known.
  const today = Math.floor(nowMs / DAY_MS) + 1;
  const model = await trainAndSave(options, today);
  const counts = { startups: 0, predicted: 0, changed: 0 };
  for await (const batch of readStageRecords(pool, { roundsMin: 1, signal })) {
    const expected = batch.map((record) => ({
      ...record,
      expected: stageFor(model, record, today),
    }));
    counts.startups += batch.length;
    counts.predicted += expected.filter((each) => each.expected !== null).length;
    counts.changed += await store(
      pool,
      expected.filter((each) => each.expected !== each.predicted),
    );
  }
  return counts;
}

async function trainAndSave(
  { pool, nowMs, signal }: PredictOptions,
  today: number,
): Promise<StageModel> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const dataStamp = await readDataStamp(client, nowMs);
    const companies = await readTrainingCompanies(client, signal);
    await client.query('COMMIT');
    const model = trainStages(companies, today);
    const { weights, features, ...parameters } = model;
    const json = JSON.stringify({ ...parameters, features, weights });
    await saveModel(
      client,
      {
        kind: 'next_stage',
        dataStamp,
        metrics: stageMetrics(evaluateStages(companies, today - BACK_TEST_DAYS)),
        features,
        parameters,
        content: await promisify(gzip)(json),
        data: null,
      },
      nowMs,
    );
    client.release();
    return model;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** The figures of a report, without the weights of its model. */
export function stageMetrics(report: StageReport): object {
  const { model, ...metrics } = report;
  return { ...metrics, trainedBefore: model.trainedBefore, threshold: model.threshold };
}

function stageFor(model: StageModel, record: StageRecord, today: number): number | null {
  const { stated, mayRaise, rounds } = record;
  // A round of a later date is an announcement: the one after it is out of reach.
  const isAnnounced = (rounds.at(-1)?.day ?? 0) >= today;
  if (stated !== null || !mayRaise || isAnnounced) return null;
  return expectedStage(model, record, today);
}

async function store(
  pool: pg.Pool,
  records: readonly (StageRecord & { readonly expected: number | null })[],
): Promise<number> {
  if (records.length === 0) return 0;
  const { rows } = await pool.query<{ changed: string }>(
    'SELECT venture.store_stage_predictions($1, $2, $3, $4, $5) AS changed',
    [
      records.map(({ id }) => id),
      records.map(({ expected }) => expected),
      records.map(({ lastStage }) => lastStage),
      records.map(({ lastDate }) => lastDate),
      records.map(({ roundsCount }) => roundsCount),
    ],
  );
  return Number(rows[0]?.changed ?? 0);
}

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { expectedStage, type StageModel, trainStages } from '@vcds/stage-prediction';
import type pg from 'pg';
import { readDataStamp } from '../../models/data-stamp.ts';
import { saveModel } from '../../models/model-store.ts';
import { readStageRecords, readTrainingCompanies, type StageRecord } from './read-companies.ts';

const DAY_MS = 86_400_000;

export interface PredictOptions {
  /** Of a role that may store models and predictions. */
  readonly pool: pg.Pool;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** The result of a prediction of all startups. */
export type PredictedCounts = Readonly<Record<'startups' | 'predicted' | 'changed', number>>;

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
    const dataStamp = await readDataStamp(client);
    const companies = await readTrainingCompanies(client, signal);
    await client.query('COMMIT');
    const model = trainStages(companies, today);
    const { weights, features, backTest, ...parameters } = model;
    await saveModel(
      client,
      {
        kind: 'next_stage',
        dataStamp,
        metrics: { backTest },
        features,
        parameters,
        content: await promisify(gzip)(JSON.stringify(model)),
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
      records.map(({ roundsDigest }) => roundsDigest),
    ],
  );
  return Number(rows[0]?.changed ?? 0);
}

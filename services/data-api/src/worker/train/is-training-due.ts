import type pg from 'pg';
import { haveImportsDoubled } from '../imports-doubled.ts';
import { FIRST_DATE } from './load-investments.ts';

/**
 * Whether a model should be trained before the next scheduled training: there are investments, and
 * no model yet or one that this version of the code cannot open, or imports have doubled the records
 * since the last training. Cheap.
 */
export async function isTrainingDue(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const newest = await newestModel(pool);
  if (newest !== undefined) {
    if (await haveImportsDoubled(pool, newest.readAt)) return true;
    if (newest.canOpen) return false;
  }
  const { rows } = await pool.query<{ isPossible: boolean }>(
    `SELECT EXISTS (
       SELECT FROM venture.round_investor p
       JOIN venture.funding_round r ON r.id = p.round_id
       JOIN venture.fund f ON f.id = p.fund_id
       WHERE p.deleted_at IS NULL AND f.deleted_at IS NULL
         AND r.deleted_at IS NULL AND NOT r.startup_deleted AND r.confirmed
         AND ${isKnown('coalesce(r.date, venture.utc_day(p.occurred_at))')}
     ) OR EXISTS (
       SELECT FROM venture.holding h
       JOIN venture.fund f ON f.id = h.fund_id
       JOIN venture.startup s ON s.id = h.startup_id
       WHERE h.deleted_at IS NULL AND h.rounds_count = 0
         AND f.deleted_at IS NULL AND s.deleted_at IS NULL
         AND ${isKnown('venture.utc_day(h.occurred_at)')}) AS "isPossible"`,
  );
  return rows[0]?.isPossible === true;
}

/** The condition that the training takes a date for one. */
function isKnown(date: string): string {
  return `${date} BETWEEN date '${FIRST_DATE}' AND venture.utc_day(now())`;
}

interface Newest {
  /** When the training read the records. */
  readonly readAt: Date;
  readonly canOpen: boolean;
}

async function newestModel(pool: Pick<pg.Pool, 'query'>): Promise<Newest | undefined> {
  const { FEATURES, MODEL_FORMAT } = await import('@vcds/matching');
  const { rows } = await pool.query<Newest>(
    `SELECT (data_stamp->>'readAt')::timestamptz AS "readAt",
       features = $1::text[] AND parameters->>'format' = $2 AS "canOpen"
     FROM venture.model ORDER BY created_at DESC, version DESC LIMIT 1`,
    [FEATURES, String(MODEL_FORMAT)],
  );
  return rows[0];
}

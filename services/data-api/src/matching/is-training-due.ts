import type pg from 'pg';
import { isModelOutgrown } from '../models/is-outgrown.ts';

/**
 * Whether a model should be trained before the next scheduled training: there are investments, and
 * no model yet or one that this version of the code cannot open, or imports have doubled the records
 * since the last training. Cheap.
 */
export async function isTrainingDue(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const isOutgrown = await isModelOutgrown(pool, 'matching');
  if (isOutgrown === true) return true;
  if (isOutgrown === false && (await canOpenNewest(pool))) return false;
  const { rows } = await pool.query<{ isPossible: boolean }>(
    `SELECT EXISTS (
       SELECT FROM venture.round_investor p
       JOIN venture.funding_round r ON r.id = p.round_id
       WHERE p.fund_id IS NOT NULL AND p.deleted_at IS NULL AND r.date IS NOT NULL
         AND r.deleted_at IS NULL AND NOT r.startup_deleted AND r.confirmed) AS "isPossible"`,
  );
  return rows[0]?.isPossible === true;
}

async function canOpenNewest(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { FEATURES, MODEL_FORMAT } = await import('@vcds/matching');
  const { rows } = await pool.query<{ canOpen: boolean }>(
    `SELECT features = $1::text[] AND coalesce(parameters->>'format' = $2, false) AS "canOpen"
     FROM venture.model WHERE kind = 'matching' ORDER BY created_at DESC, version DESC LIMIT 1`,
    [FEATURES, String(MODEL_FORMAT)],
  );
  return rows[0]?.canOpen === true;
}

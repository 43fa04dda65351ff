import type pg from 'pg';
import { isModelOutgrown } from '../../models/is-outgrown.ts';

/**
 * Whether next stages should be predicted before the next scheduled run: there are successive rounds
 * and no model yet, or imports have doubled the records since the last run. Cheap.
 */
export async function isPredictionDue(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const isOutgrown = await isModelOutgrown(pool, 'next_stage');
  if (isOutgrown !== undefined) return isOutgrown;
  const { rows } = await pool.query<{ isPossible: boolean }>(
    `SELECT EXISTS (SELECT FROM venture.startup WHERE deleted_at IS NULL AND rounds_count >= 2)
       AS "isPossible"`,
  );
  return rows[0]?.isPossible === true;
}

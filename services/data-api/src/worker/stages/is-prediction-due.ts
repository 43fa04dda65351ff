import type pg from 'pg';
import { haveImportsDoubled } from '../imports-doubled.ts';

/**
 * Whether next stages should be predicted before the next scheduled run: there are successive rounds
 * and no run yet, or imports have doubled the records since the last run. Cheap.
 */
export async function isPredictionDue(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ computedAt: Date | null; isPossible: boolean }>(
    `SELECT (SELECT computed_at FROM venture.stage_prediction) AS "computedAt",
       EXISTS (SELECT FROM venture.startup WHERE deleted_at IS NULL AND rounds_count >= 2)
         AS "isPossible"`,
  );
  const { computedAt = null, isPossible = false } = rows[0] ?? {};
  return computedAt === null ? isPossible : haveImportsDoubled(pool, computedAt);
}

import type pg from 'pg';

/**
 * Whether a model should be trained before the next scheduled training: there are investments and no
 * model yet, or imports have doubled the records since the last training. Cheap.
 */
export async function isTrainingDue(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ isDue: boolean }>(
    `WITH newest AS (
       SELECT created_at, (data_stamp->>'startups')::bigint + (data_stamp->>'funds')::bigint
         + (data_stamp->>'rounds')::bigint + (data_stamp->>'investments')::bigint AS records
       FROM venture.model WHERE kind = 'matching' ORDER BY created_at DESC LIMIT 1)
     SELECT CASE WHEN EXISTS (SELECT FROM newest) THEN
         (SELECT sum(r.inserted) > n.records FROM newest n
          JOIN venture.import_run r ON r.finished_at > n.created_at GROUP BY n.records) IS TRUE
       ELSE EXISTS (
         SELECT FROM venture.round_investor p
         JOIN venture.funding_round r ON r.id = p.round_id
         WHERE p.fund_id IS NOT NULL AND p.deleted_at IS NULL AND r.date IS NOT NULL
           AND r.deleted_at IS NULL AND NOT r.startup_deleted AND r.confirmed)
       END AS "isDue"`,
  );
  return rows[0]?.isDue === true;
}
